import type { IncomingMessage } from "node:http";

export class BodyTooLarge extends Error {}
/** The client left while it sent its request. */
export class ClientLeft extends Error {}

const NOTHING: Buffer = Buffer.alloc(0);

/** Reads a request once, as bytes. Rejects with {@link BodyTooLarge} or {@link ClientLeft}. */
export function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > mostBytes) return Promise.reject(new BodyTooLarge());
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] | undefined;
    let first = NOTHING;
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes) {
        request.pause();
        return reject(new BodyTooLarge());
      }
      // Nearly all come in one piece.
      if (first === NOTHING) first = chunk;
      else if (chunks === undefined) chunks = [first, chunk];
      else chunks.push(chunk);
    });
    request.on("end", () => resolve(chunks === undefined ? first : Buffer.concat(chunks)));
    const leave = (): void => reject(new ClientLeft());
    request.on("error", leave);
    request.on("aborted", leave);
  });
}
