import { STATUS_CODES } from "node:http";
import type { Reply, Step } from "./reply.ts";

export type HeaderLine = readonly [name: string, value: string];

/** The head of a response as bytes: for what node:http would refuse to send. */
export function encodeHead(status: number, lines: readonly HeaderLine[]): Buffer {
  const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Unknown"}\r\n${text}\r\n`, "latin1");
}

/** One chunk. No bytes give no chunk at all: an empty one would be the end of the body. */
export function encodeChunk(bytes: Buffer): Buffer {
  if (bytes.length === 0) return bytes;
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
}

export const LAST_CHUNK = Buffer.from("0\r\n\r\n");

/**
 * Where a body is broken off, the head has to say `keep-alive`, as providers do: after `connection: close` the
 * `fetch` of Node 20 takes whatever has come as the whole body, even when the last chunk is missing (Node 22 does not).
 */
export type Connection = "close" | "keep-alive";

/** The reply's own headers as lines, without the ones that say how long the body is. */
export function headLines({ headers }: Reply, connection: Connection = "close"): readonly HeaderLine[] {
  return [...Object.entries(headers), ["connection", connection]];
}

/** The head of a reply whose body goes out in chunks. */
export function chunkedHead(reply: Reply, connection?: Connection, more: readonly HeaderLine[] = []): Buffer {
  return encodeHead(reply.status, [...headLines(reply, connection), ["transfer-encoding", "chunked"], ...more]);
}

export function send(bytes: Buffer | string): Step {
  return { do: "send", bytes: typeof bytes === "string" ? Buffer.from(bytes) : bytes };
}

/** A whole chunked response, its body in the given parts: each part is a write and a chunk of its own. */
export function* chunkedSteps(reply: Reply, parts: Iterable<Buffer>, pauseMs: number): Generator<Step> {
  yield send(chunkedHead(reply));
  for (const part of parts) {
    if (pauseMs > 0) yield { do: "wait", ms: pauseMs };
    yield send(encodeChunk(part));
  }
  yield send(LAST_CHUNK);
  yield { do: "close" };
}
