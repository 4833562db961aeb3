import type { ServerResponse } from "node:http";

/** Resolves when the client has read enough, or has left. Leaves no listener behind: a slow client makes many of these. */
export function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      response.off("drain", end);
      response.off("close", end);
      resolve();
    };
    response.on("drain", end);
    response.on("close", end);
  });
}
