import type { Readable } from "node:stream";

/**
 * Read no faster than it is wanted. Node's own `Readable.toWeb` calls a connection that was cut an `AbortError`, as if we had
 * left ourselves.
 */
export function toWebStream(source: Readable): ReadableStream<Uint8Array> {
  let isOver = false;
  const finish = (end?: () => void): void => {
    if (!isOver) end?.();
    isOver = true;
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      source.on("data", (chunk: Uint8Array) => {
        if (isOver) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) source.pause();
      });
      source.on("end", () => finish(() => controller.close()));
      source.on("error", (problem) => finish(() => controller.error(isCut(problem) ? closed(problem) : problem)));
      source.on("close", () => finish(() => controller.error(closed())));
      source.pause();
    },
    pull() {
      source.resume();
    },
    cancel() {
      finish();
      source.destroy();
    },
  });
}

/** Node says "aborted" as well when the other side has left, which reads as if we had. */
function isCut(problem: Error & { readonly code?: string }): boolean {
  return problem.code === "ECONNRESET" && problem.message === "aborted";
}

function closed(cause?: Error): Error {
  const message = "The connection closed before the answer was complete";
  return Object.assign(new Error(message, { cause }), { code: "ECONNRESET" });
}
