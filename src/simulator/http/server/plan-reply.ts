import type { IncomingMessage } from "node:http";
import { InvalidRequest, type ModelRequest } from "../answer/model-request.ts";
import { hashOf } from "../answer/seeded.ts";
import { chooseBehaviour } from "../behaviour/choose-behaviour.ts";
import type { Dialect, HttpRequest } from "../dialects/dialect.ts";
import type { ErrorName } from "../dialects/errors.ts";
import { jsonReply, type Reaction, type Reply } from "../wire/reply.ts";
import { findRoute } from "./find-route.ts";
import { askerOf, journeyOf, remember } from "./journey-of.ts";
import { react } from "./react.ts";
import { keyOf, type ReadBody } from "./read-body.ts";
import { sayBehaviour } from "./say-behaviour.ts";
import type { SimulatorState } from "./simulator-state.ts";

/** A request that has been read completely. */
export interface Incoming {
  readonly request: IncomingMessage;
  /** Its URL, without the prefix of a redirect. */
  readonly url: URL;
  readonly read: ReadBody;
  readonly state: SimulatorState;
  /** A behaviour that the URL selects; overrides everything else. */
  readonly requested?: string | undefined;
  /** Which request of its connection this is, from 1. */
  readonly requestOfSocket: number;
}

/** What the simulator will do with a request, and how it is logged. */
export interface Plan {
  readonly reaction: Reaction;
  readonly behaviour: string;
  readonly dialect: Dialect;
  readonly modelRequest?: ModelRequest | undefined;
}

const NO_WEBSOCKET = { error: { message: "WebSockets are not supported here", type: "invalid_request_error" } };

export function planReply(incoming: Incoming): Plan {
  const { request, url, read } = incoming;
  const route = findRoute(request, url.pathname);
  const { dialect } = route;
  const plain = (behaviour: string, reply: Reply): Plan => ({ reaction: { type: "reply", reply }, behaviour, dialect });
  const reject = (name: ErrorName, message?: string): Plan =>
    plain(name, dialect.errorReply({ name, model: "", message }));
  if (isUpgrade(request)) return plain("no-websocket", jsonReply(426, { upgrade: "HTTP/1.1" }, NO_WEBSOCKET));
  if (route.type === "unknown") return reject("not-found", `Unknown request URL: ${request.method} ${url.pathname}`);
  if (read.type === "too-large") return reject("too-large");
  if (read.type === "no-json") return reject("bad-request", `We could not parse the JSON body: ${read.message}`);
  if (keyOf(request, url) === "") return reject("unauthorized");
  if (route.type === "models") return plain("models", jsonReply(200, {}, route.body));
  try {
    return planAnswered(incoming, read.received, dialect);
  } catch (fault) {
    if (fault instanceof InvalidRequest) return reject("bad-request", fault.message);
    throw fault;
  }
}

function planAnswered(
  { request, url, state, requested, requestOfSocket }: Incoming,
  received: HttpRequest,
  dialect: Dialect,
): Plan {
  const modelRequest = dialect.readRequest(received);
  const key = keyOf(request, url);
  const asker = askerOf(modelRequest, key);
  const { question } = asker;
  const { provider } = dialect;
  const chosen = chooseBehaviour(
    { provider, model: modelRequest.model, key, requested: requested ?? requestedBy(request), question },
    state,
  );
  const { timeScale, firstTokenMs, tokenMs, otherOrigin } = state;
  const reaction = react(chosen.behaviour, {
    dialect,
    request: modelRequest,
    pacing: { firstMs: firstTokenMs * timeScale, tokenMs: tokenMs * timeScale },
    timeScale,
    target: url.pathname + url.search,
    otherOrigin,
    requestOfSocket,
    key,
    journey: journeyOf(asker, chosen, state),
    seed: hashOf(state.seed, modelRequest.model, modelRequest.prompt, chosen.count),
  });
  if (modelRequest.inputs === undefined) remember(asker, sayBehaviour(chosen.behaviour, statusOf(reaction)), state);
  return { reaction, behaviour: chosen.name, dialect, modelRequest };
}

/** Codex asks for a WebSocket first. This status makes it use HTTP at once; after 404, 405 or 501 it asks for seven seconds. */
function isUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

function statusOf(reaction: Reaction): number {
  return reaction.type === "reply" ? reaction.reply.status : reaction.status;
}

/** The behaviour that the request's own headers select. */
function requestedBy({ headers }: IncomingMessage): string | undefined {
  const fault = headers["x-sim-fault"];
  const behaviour = headers["x-sim-behaviour"];
  if (typeof fault === "string") return `fault-${fault}`;
  return typeof behaviour === "string" ? behaviour : undefined;
}
