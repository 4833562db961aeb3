import type { ServerResponse } from "node:http";
import { REDIRECT_TARGET } from "../faults/fault.ts";
import { playActions } from "../wire/play-actions.ts";
import { sendReply } from "../wire/send-reply.ts";
import { handleControl } from "./handle-control.ts";
import { type Incoming, type Plan, planReply } from "./plan-reply.ts";
import { keyOf, readBody } from "./read-body.ts";
import { Recording, recorded } from "./recording.ts";
import { type ReceivedRequest, shortKey, shownHeaders, shownPath } from "./request-log.ts";

interface Exchange extends Pick<Incoming, "request" | "state" | "requestOfSocket"> {
  readonly response: ServerResponse;
  readonly listener: ReceivedRequest["listener"];
}

/** Handles one request. Resolves when either side has ended it; never rejects. */
export async function handleRequest(exchange: Exchange): Promise<void> {
  const { request, response, state } = exchange;
  const gone = whenClosed(response);
  try {
    const given = new URL(request.url ?? "/", "http://simulator");
    const isRedirected = given.pathname.startsWith(`${REDIRECT_TARGET}/`);
    const url = isRedirected ? new URL(given.href.replace(REDIRECT_TARGET, "")) : given;
    const read = await readBody(request, url);
    if (url.pathname.startsWith("/_sim/")) {
      const body = read.type === "read" ? read.received.body : undefined;
      await sendReply(response, handleControl(request, url.pathname, body, state), gone);
      return;
    }
    const incoming = { ...exchange, url, read, requested: isRedirected ? "ok" : undefined };
    await carryOut(planReply(incoming), { ...exchange, ...incoming }, gone);
  } catch {
    // The client left while sending, or its URL is invalid: no reply is possible.
    response.destroy();
  }
}

function whenClosed(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => controller.abort(new Error("The client has left")));
  return controller.signal;
}

/** Carries out the plan and logs how it ended. */
async function carryOut(plan: Plan, exchange: Exchange & Incoming, gone: AbortSignal): Promise<void> {
  const recording = exchange.state.keepsSent ? new Recording() : undefined;
  const reaction = recording === undefined ? plan.reaction : recorded(plan.reaction, recording);
  const { socket } = exchange.request;
  const before = socket.bytesWritten;
  const update = exchange.state.log.open(firstEntry(plan, exchange));
  const over = (state: ReceivedRequest["state"]): void =>
    update({
      state,
      bytesSent: socket.bytesWritten - before,
      ...(recording !== undefined && { sent: recording.text }),
    });
  const isWhole = reaction.type === "reply" && reaction.reply.ending === "done";
  try {
    if (reaction.type === "reply") await sendReply(exchange.response, reaction.reply, gone);
    else await playActions(socket, reaction.actions, gone);
    over(isWhole ? "done" : "broken");
  } catch {
    over("client-left");
    socket.destroy();
  }
}

function firstEntry(
  { reaction, behaviour, dialect, modelRequest }: Plan,
  { request, url, read, listener }: Exchange & Incoming,
) {
  return {
    listener,
    provider: dialect.provider,
    method: request.method ?? "",
    path: shownPath(url),
    model: modelRequest?.model ?? "",
    key: shortKey(keyOf(request, url)),
    isStreaming: modelRequest?.isStreaming ?? false,
    behaviour,
    status: reaction.type === "reply" ? reaction.reply.status : reaction.status,
    headers: shownHeaders(request.headers),
    body: read.type === "read" ? read.received.body : undefined,
  };
}
