import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pairsIn } from "../upstream/header-lines.ts";
import type { Head } from "../upstream/read-head.ts";
import { drained } from "./drained.ts";
import { giveHead, takeHead } from "./write-head.ts";

/** Tokens are smaller. Larger pieces are not copied: with clients that do not read, the copies were half of the memory. */
const MOST_IN_ONE_WRITE = 1024;

/**
 * Writes a streamed answer. It frames the chunks itself and writes them to the socket: Node makes three writes of each, which is most of
 * what a token costs. Where that is not possible (HTTP/1.0, middleware, an answer that keep-alives have begun) Node does it.
 */
export class StreamWriter {
  private readonly response: ServerResponse;
  /** Undefined: Node writes. */
  private readonly socket: Socket | undefined;
  /** What goes out together with the first bytes. */
  private head: string;

  private constructor(response: ServerResponse, socket: Socket | undefined, head: string) {
    this.response = response;
    this.socket = socket;
    this.head = head;
  }

  /** For an answer whose head was sent. */
  static resume(response: ServerResponse): StreamWriter {
    return new StreamWriter(response, undefined, "");
  }

  /** Begins the answer. Its head goes out with the first bytes. `trailers`: the names of what follows the last of them. */
  static begin(response: ServerResponse, head: Head, more: string, trailers: string): StreamWriter {
    const announced = `${more}trailer: ${trailers}\r\n`;
    const text = takeHead(response, head, `${announced}transfer-encoding: chunked\r\n`);
    if (text !== undefined && response.socket !== null) return new StreamWriter(response, response.socket, text);
    // HTTP/1.0 has no trailers, and Node refuses to announce them there.
    giveHead(response, head, response.useChunkedEncodingByDefault ? announced : more);
    return StreamWriter.resume(response);
  }

  /** False: the client does not keep up, see {@link drained}. */
  write(bytes: Uint8Array): boolean {
    const { response, socket } = this;
    // A chunk without bytes would be the end.
    if (bytes.length === 0) return true;
    if (socket === undefined) return response.write(bytes);
    if (!socket.writable) return true;
    if (bytes.length <= MOST_IN_ONE_WRITE) return socket.write(this.withHead(framed(bytes)), "latin1");
    socket.cork();
    socket.write(this.withHead(`${bytes.length.toString(16)}\r\n`), "latin1");
    socket.write(bytes);
    const keepsUp = socket.write("\r\n", "latin1");
    socket.uncork();
    return keepsUp;
  }

  /** Resolves when the client has read enough, or has left. */
  drained(): Promise<void> {
    return drained(this.response, this.socket);
  }

  /** A last event, and no end: the connection closes without its last chunk. */
  writeLast(event: string): void {
    const { response, socket } = this;
    const end = (): void => void response.destroy();
    if (socket === undefined) response.write(event, end);
    else if (!socket.destroyed) socket.write(this.withHead(framed(Buffer.from(event))), "latin1", end);
  }

  /** `trailers`: as lines. */
  end(trailers: string): void {
    const { response, socket } = this;
    if (socket === undefined) {
      response.addTrailers(entriesOf(pairsIn(trailers)));
      return void response.end();
    }
    if (socket.destroyed) return;
    socket.write(this.withHead(`0\r\n${trailers}\r\n`), "latin1");
    response.end();
  }

  private withHead(text: string): string {
    const { head } = this;
    if (head === "") return text;
    this.head = "";
    return head + text;
  }
}

/** One string is one write. */
function framed(bytes: Uint8Array): string {
  const { buffer, byteOffset, length } = bytes;
  const own = Buffer.isBuffer(bytes) ? bytes : Buffer.from(buffer, byteOffset, length);
  return `${length.toString(16)}\r\n${own.toString("latin1")}\r\n`;
}

function entriesOf(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? ""] as [string, string]] : []));
}
