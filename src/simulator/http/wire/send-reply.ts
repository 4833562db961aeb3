import { once } from "node:events";
import type { ServerResponse } from "node:http";
// Not the global one, for the same reason as in `pause`.
import { performance } from "node:perf_hooks";
import { pause } from "./pause.ts";
import type { Reply } from "./reply.ts";

/** A pause of this length is meant as one; a shorter one is the pace of a stream. */
const LONG_PAUSE_MS = 100;

/** Sends a reply through node:http. Rejects as soon as the signal aborts because the client has left. */
export async function sendReply(response: ServerResponse, reply: Reply, signal: AbortSignal): Promise<void> {
  const { status, headers, pieces, isStream, ending, onSent } = reply;
  const length = pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const isBodyless = status === 204 || status === 304;
  response.writeHead(status, isStream || isBodyless ? headers : { ...headers, "content-length": length });
  if (isStream || ending !== "done") response.flushHeaders();
  // Like a provider on another machine, it does not fall behind when this process is busy: what is due by then goes out together.
  let due = performance.now();
  for (const { bytes, afterMs } of pieces) {
    due = (afterMs < LONG_PAUSE_MS ? due : performance.now()) + afterMs;
    const early = due - performance.now();
    if (early > 0) await pause(early, signal);
    onSent?.(bytes);
    if (!response.write(bytes)) await once(response, "drain", { signal });
  }
  switch (ending) {
    case "done":
      response.end();
      return;
    case "hold":
      await untilAborted(signal);
      return;
    case "cut":
      // Without the last chunk, so the client can tell that data is missing.
      await flushed(response);
      response.socket?.destroy();
      return;
    default:
      return ending satisfies never;
  }
}

/** Never resolves; rejects when the client gives up. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
  });
}

function flushed({ socket }: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (socket === null || socket.destroyed) resolve();
    else socket.write("", () => resolve());
  });
}
