import type { ServerResponse } from "node:http";
import type { Head } from "../upstream/read-head.ts";
import { isUnwrapped, writeHead } from "./write-head.ts";

/** Larger pieces are not copied. */
const MOST_IN_ONE_WRITE = 16_384;

/**
 * Writes a streamed answer. It frames the chunks itself: Node makes three writes of each, which is most of what a token costs. A client
 * of HTTP/1.0 gets no frames. Neither does an answer that keep-alives have begun, or that passes through middleware.
 */
export class StreamWriter {
  private readonly response: ServerResponse;
  private readonly isFramed: boolean;

  constructor(response: ServerResponse, { isFramed }: { readonly isFramed: boolean }) {
    this.response = response;
    this.isFramed = isFramed;
  }

  /** Writes the head, and begins the answer. */
  static begin(response: ServerResponse, head: Head, more: string): StreamWriter {
    const isFramed = response.useChunkedEncodingByDefault && isUnwrapped(response);
    writeHead(response, head, isFramed ? `${more}transfer-encoding: chunked\r\n` : more);
    // From here on Node passes on what it gets.
    if (isFramed) response.chunkedEncoding = false;
    return new StreamWriter(response, { isFramed });
  }

  /** False: the client does not keep up. */
  write(bytes: Uint8Array): boolean {
    const { response } = this;
    // A chunk without bytes would be the end.
    if (bytes.length === 0) return true;
    if (!this.isFramed) return response.write(bytes);
    if (bytes.length <= MOST_IN_ONE_WRITE) return response.write(framed(bytes), "latin1");
    response.cork();
    response.write(`${bytes.length.toString(16)}\r\n`, "latin1");
    response.write(bytes);
    const keepsUp = response.write("\r\n", "latin1");
    response.uncork();
    return keepsUp;
  }

  /** A last event, and no end: the connection closes without its last chunk. */
  writeLast(event: string): void {
    const { response } = this;
    const end = (): void => void response.destroy();
    if (this.isFramed) response.write(framed(Buffer.from(event)), "latin1", end);
    else response.write(event, end);
  }

  /** `trailers`: names and values in turn. */
  end(trailers: readonly string[]): void {
    const { response } = this;
    if (!this.isFramed) {
      response.addTrailers(pairs(trailers));
      return void response.end();
    }
    let last = "0\r\n";
    for (const [name, value] of pairs(trailers)) last += `${name}: ${value}\r\n`;
    response.end(`${last}\r\n`, "latin1");
  }
}

/** One string is one write. */
function framed(bytes: Uint8Array): string {
  const { buffer, byteOffset, length } = bytes;
  const own = Buffer.isBuffer(bytes) ? bytes : Buffer.from(buffer, byteOffset, length);
  return `${length.toString(16)}\r\n${own.toString("latin1")}\r\n`;
}

function pairs(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? ""] as [string, string]] : []));
}
