import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Resolves when the client has read enough, or has left. `socket`: where the answer is written, if not to the response. Leaves no
 * listener behind: a slow client makes many of these.
 */
export function drained(response: ServerResponse, socket?: Socket): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  const written = socket ?? response;
  return new Promise((resolve) => {
    const end = (): void => {
      written.off("drain", end);
      response.off("close", end);
      resolve();
    };
    written.on("drain", end);
    response.on("close", end);
  });
}
