import type { ServerResponse } from "node:http";
import { LANDED } from "../faults/landed.ts";
import { playSteps } from "../wire/play-steps.ts";
import { sendReply } from "../wire/send-reply.ts";
import { handleControl } from "./handle-control.ts";
import { type Incoming, type Plan, planReply } from "./plan-reply.ts";
import { keyOf, readRequest } from "./read-request.ts";
import { type SeenRequest, shortKey, shownHeaders, shownPath } from "./request-log.ts";
import { recorded, Tape } from "./tape.ts";

export interface Exchange extends Pick<Incoming, "request" | "world" | "requestOfSocket"> {
  readonly response: ServerResponse;
  readonly listener: SeenRequest["listener"];
}

/** Answers one request. Resolves when it is over, whoever ended it; never rejects. */
export async function handleRequest(exchange: Exchange): Promise<void> {
  const { request, response, world } = exchange;
  const gone = leaving(response);
  try {
    const given = new URL(request.url ?? "/", "http://simulator");
    const hasLanded = given.pathname.startsWith(`${LANDED}/`);
    const url = hasLanded ? new URL(given.href.replace(LANDED, "")) : given;
    const read = await readRequest(request, url);
    if (url.pathname.startsWith("/_sim/")) {
      const body = read.type === "read" ? read.received.body : undefined;
      await sendReply(response, handleControl({ request, path: url.pathname, body, world }), gone);
      return;
    }
    const incoming = { ...exchange, url, read, wish: hasLanded ? "ok" : undefined };
    await enact(planReply(incoming), { ...exchange, ...incoming }, gone);
  } catch {
    // The client has left in the middle of its own request, or asked for no URL at all: there is nobody to tell.
    response.destroy();
  }
}

function leaving(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => controller.abort(new Error("The client has left")));
  return controller.signal;
}

/** Does what was planned, and writes down how it went. */
async function enact(plan: Plan, exchange: Exchange & Incoming, gone: AbortSignal): Promise<void> {
  const tape = exchange.world.keepsSent ? new Tape() : undefined;
  const performance = tape === undefined ? plan.performance : recorded(plan.performance, tape);
  const { socket } = exchange.request;
  const before = socket.bytesWritten;
  const note = exchange.world.log.open(firstNote(plan, exchange));
  const over = (state: SeenRequest["state"]): void =>
    note({ state, bytesSent: socket.bytesWritten - before, ...(tape !== undefined && { sent: tape.text }) });
  const isWhole = performance.type === "reply" && performance.reply.ending === "done";
  try {
    if (performance.type === "reply") await sendReply(exchange.response, performance.reply, gone);
    else await playSteps(socket, performance.steps, gone);
    over(isWhole ? "done" : "broken");
  } catch {
    over("client-left");
    socket.destroy();
  }
}

function firstNote(
  { performance, behaviour, dialect, ask }: Plan,
  { request, url, read, listener }: Exchange & Incoming,
) {
  return {
    listener,
    provider: dialect.provider,
    method: request.method ?? "",
    path: shownPath(url),
    model: ask?.model ?? "",
    key: shortKey(keyOf(request, url)),
    isStreaming: ask?.isStreaming ?? false,
    behaviour,
    status: performance.type === "reply" ? performance.reply.status : performance.status,
    headers: shownHeaders(request.headers),
    body: read.type === "read" ? read.received.body : undefined,
  };
}
