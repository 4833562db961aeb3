import type { ServerResponse } from "node:http";
import { Socket } from "node:net";
import { pairsIn } from "../upstream/header-lines.ts";
import type { Head } from "../upstream/read-head.ts";
import { drained } from "./drained.ts";
import { giveBack, takeBuffer } from "./write-buffers.ts";
import { giveHead, takeHead } from "./write-head.ts";

/** Tokens are smaller, and a string is the fastest way to write them. For larger pieces it would be garbage by the megabyte. */
const MOST_IN_ONE_STRING = 1024;

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
  /** What the client has not taken yet. */
  private pending: Buffer | undefined = undefined;

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

  /** The bytes may be written over when this returns. False: the client does not keep up, see {@link drained}. */
  write(bytes: Uint8Array): boolean {
    const { response, socket } = this;
    // A chunk without bytes would be the end.
    if (bytes.length === 0) return true;
    if (socket === undefined) return response.write(Buffer.from(bytes));
    if (!socket.writable) return true;
    if (bytes.length <= MOST_IN_ONE_STRING) return socket.write(this.withHead(framed(bytes)), "latin1");
    const start = this.withHead(`${bytes.length.toString(16)}\r\n`);
    const size = start.length + bytes.length + 2;
    const buffer = takeBuffer(size);
    buffer.write(start, 0, "latin1");
    buffer.set(bytes, start.length);
    buffer.write("\r\n", size - 2, "latin1");
    const keepsUp = socket.write(buffer.subarray(0, size));
    // Nearly always the kernel has taken all of it by now. Otherwise it is the socket's until that has drained.
    if (isWritten(socket)) giveBack(buffer);
    else this.pending = buffer;
    return keepsUp;
  }

  /** Resolves when the client has read enough, or has left. */
  async drained(): Promise<void> {
    const { response, socket, pending } = this;
    await drained(response, socket);
    this.pending = undefined;
    if (pending !== undefined && socket?.destroyed === false && isWritten(socket)) giveBack(pending);
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

/** Whether the kernel has a copy of all that was written. What is no socket of the kernel's may pass the buffer itself on. */
function isWritten(socket: Socket): boolean {
  return socket.writableLength === 0 && socket instanceof Socket;
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
