import type { IncomingMessage } from "node:http";
import { type Ask, BadAsk } from "../answer/ask.ts";
import { hashOf } from "../answer/seeded.ts";
import { chooseBehaviour } from "../behaviour/choose-behaviour.ts";
import type { Dialect, Received, Refusal } from "../dialects/dialect.ts";
import { jsonReply, type Performance } from "../wire/reply.ts";
import { findRoute } from "./find-route.ts";
import { perform } from "./perform.ts";
import { keyOf, type ReadBody } from "./read-request.ts";
import type { World } from "./world.ts";

/** A request that has been read to its end. */
export interface Incoming {
  readonly request: IncomingMessage;
  /** Where it wants to go, without what the simulator has put in front. */
  readonly url: URL;
  readonly read: ReadBody;
  readonly world: World;
  /** A behaviour that the place itself asks for, whatever the request says. */
  readonly wish?: string | undefined;
  /** Which request of its connection this is, from 1. */
  readonly requestOfSocket: number;
}

/** What will be done about a request, and under which names it is written down. */
export interface Plan {
  readonly performance: Performance;
  readonly behaviour: string;
  readonly dialect: Dialect;
  readonly ask?: Ask | undefined;
}

export function planReply(incoming: Incoming): Plan {
  const { request, url, read } = incoming;
  const route = findRoute({
    method: request.method ?? "",
    path: url.pathname,
    speaksAnthropic: request.headers["anthropic-version"] !== undefined,
  });
  const { dialect } = route;
  const refuse = (problem: Refusal["problem"], message?: string): Plan => {
    const { status, headers, body } = dialect.refuse({ problem, model: "", message });
    return { performance: { type: "reply", reply: jsonReply(status, headers, body) }, behaviour: problem, dialect };
  };
  if (route.type === "nowhere") return refuse("not-found", `Unknown request URL: ${request.method} ${url.pathname}`);
  if (read.type === "too-large") return refuse("too-large");
  if (read.type === "no-json") return refuse("bad-request", `We could not parse the JSON body: ${read.message}`);
  if (keyOf(request, url) === "") return refuse("unauthorized");
  if (route.type === "models") {
    return { performance: { type: "reply", reply: jsonReply(200, {}, route.body) }, behaviour: "models", dialect };
  }
  try {
    return planAnswered(incoming, read.received, dialect);
  } catch (fault) {
    if (fault instanceof BadAsk) return refuse("bad-request", fault.message);
    throw fault;
  }
}

function planAnswered(
  { request, url, world, wish, requestOfSocket }: Incoming,
  received: Received,
  dialect: Dialect,
): Plan {
  const ask = dialect.readAsk(received);
  const key = keyOf(request, url);
  const chosen = chooseBehaviour({ model: ask.model, key, wish: wish ?? wishOf(request) }, world);
  const { timeScale, firstTokenMs, tokenMs, otherOrigin } = world;
  const performance = perform(chosen.behaviour, {
    dialect,
    ask,
    pacing: { firstMs: firstTokenMs * timeScale, tokenMs: tokenMs * timeScale },
    timeScale,
    target: url.pathname + url.search,
    otherOrigin,
    requestOfSocket,
    key,
    seed: hashOf(world.seed, ask.model, ask.prompt, chosen.count),
  });
  return { performance, behaviour: chosen.name, dialect, ask };
}

/** What the request's own headers ask of the simulator. */
function wishOf({ headers }: IncomingMessage): string | undefined {
  const fault = headers["x-sim-fault"];
  const behaviour = headers["x-sim-behaviour"];
  if (typeof fault === "string") return `fault-${fault}`;
  return typeof behaviour === "string" ? behaviour : undefined;
}
