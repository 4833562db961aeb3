import { STATUS_CODES } from "node:http";
import type { Reply, SocketAction } from "./reply.ts";

export type HeaderLine = readonly [name: string, value: string];

/** The head of a response as bytes, for heads that node:http rejects. */
export function encodeHead(status: number, lines: readonly HeaderLine[]): Buffer {
  const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Unknown"}\r\n${text}\r\n`, "latin1");
}

/** One chunk. Empty input gives nothing, because an empty chunk ends the body. */
export function encodeChunk(bytes: Buffer): Buffer {
  if (bytes.length === 0) return bytes;
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
}

export const LAST_CHUNK = Buffer.from("0\r\n\r\n");

/**
 * For an incomplete body the head needs `keep-alive`, which providers send too: after `connection: close` the `fetch` of
 * Node 20 takes any part for the whole body, even without the last chunk (Node 22 does not).
 */
export type Connection = "close" | "keep-alive";

/** The headers of a reply as lines, without those about the length of the body. */
export function headLines({ headers }: Reply, connection: Connection = "close"): readonly HeaderLine[] {
  return [...Object.entries(headers), ["connection", connection]];
}

/** The head of a reply with a chunked body. */
export function chunkedHead(reply: Reply, connection?: Connection, more: readonly HeaderLine[] = []): Buffer {
  return encodeHead(reply.status, [...headLines(reply, connection), ["transfer-encoding", "chunked"], ...more]);
}

export function send(bytes: Buffer | string): SocketAction {
  return { do: "send", bytes: typeof bytes === "string" ? Buffer.from(bytes) : bytes };
}

/** A complete chunked response. Each part of the body is one write and one chunk. */
export function* chunkedActions(reply: Reply, parts: Iterable<Buffer>, pauseMs: number): Generator<SocketAction> {
  yield send(chunkedHead(reply));
  for (const part of parts) {
    if (pauseMs > 0) yield { do: "wait", ms: pauseMs };
    yield send(encodeChunk(part));
  }
  yield send(LAST_CHUNK);
  yield { do: "close" };
}
