import type { IncomingMessage } from "node:http";

/** What hears of a request's body. */
export interface BodyTaker {
  onBody(body: Buffer): void;
  onTooLarge(): void;
}

const NOTHING: Buffer = Buffer.alloc(0);
/** A client that leaves while it sends ends its answer as well, and that is heard there. */
const ignore = (): void => undefined;

/** Reads a request once, as bytes. */
export function readBody(request: IncomingMessage, mostBytes: number, taker: BodyTaker): void {
  request.on("error", ignore);
  if (announcedBytes(request) > mostBytes) return taker.onTooLarge();
  let first = NOTHING;
  let others: Buffer[] | undefined;
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostBytes) {
      if (bytes - chunk.length <= mostBytes) taker.onTooLarge();
      return void request.pause();
    }
    // Nearly all come in one piece.
    if (first === NOTHING) first = chunk;
    else if (others === undefined) others = [chunk];
    else others.push(chunk);
  });
  request.on("end", () => {
    if (bytes <= mostBytes) taker.onBody(others === undefined ? first : Buffer.concat([first, ...others]));
  });
}

/** Looked up where it came: to read one of `headers` makes Node sort all of them. */
function announcedBytes({ rawHeaders }: IncomingMessage): number {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 14 && rawHeaders[at]?.toLowerCase() === "content-length")
      return Number(rawHeaders[at + 1]);
  return 0;
}
