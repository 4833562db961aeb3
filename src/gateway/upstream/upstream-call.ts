import type { ByteRead, ByteReader } from "../../formats/index.ts";
import { cancelMarkOf } from "./cancel-mark.ts";
import type { AnswerSink, Connection } from "./connection.ts";
import type { Connections, UpstreamRequest } from "./connections.ts";
import type { Head } from "./read-head.ts";

/** The head of an answer, and its body to be read. */
export interface UpstreamAnswer {
  readonly head: Head;
  readonly body: ByteReader;
}

/** So much is read ahead of a client that is slow. */
const HIGH_WATER_BYTES = 65_536;
const DONE: ByteRead = { done: true };

/** One request to an endpoint, whose answer is read chunk by chunk. What is not read for long makes us stop reading the socket. */
class UpstreamCall<T> implements AnswerSink, ByteReader {
  connection: Connection | undefined = undefined;
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private isPaused = false;
  private isOver = false;
  private problem: { readonly fault: unknown } | undefined = undefined;
  private onRead: ((read: ByteRead) => void) | undefined = undefined;
  private onReadFault: ((fault: unknown) => void) | undefined = undefined;
  private readonly open: (answer: UpstreamAnswer) => T | PromiseLike<T>;
  private readonly resolve: (opened: T | PromiseLike<T>) => void;
  private readonly reject: (fault: unknown) => void;

  constructor(open: UpstreamCall<T>["open"], resolve: UpstreamCall<T>["resolve"], reject: UpstreamCall<T>["reject"]) {
    this.open = open;
    this.resolve = resolve;
    this.reject = reject;
  }

  // What the connection calls.

  onHead(head: Head): void {
    try {
      this.resolve(this.open({ head, body: this }));
    } catch (problem) {
      this.reject(problem);
    }
  }

  onBytes(bytes: Buffer): boolean {
    const { onRead } = this;
    if (onRead !== undefined) {
      this.onRead = undefined;
      onRead({ done: false, value: bytes });
      return true;
    }
    this.chunks.push(bytes);
    this.bytes += bytes.length;
    this.isPaused = this.bytes >= HIGH_WATER_BYTES;
    return !this.isPaused;
  }

  onEnd(): void {
    this.isOver = true;
    const { onRead } = this;
    this.onRead = undefined;
    onRead?.(DONE);
  }

  onFault(fault: unknown): void {
    this.problem = { fault };
    this.reject(fault);
    const { onRead, onReadFault } = this;
    this.onRead = undefined;
    if (onRead !== undefined) onReadFault?.(fault);
  }

  // What the gateway calls.

  read(): Promise<ByteRead> {
    const chunk = this.chunks.shift();
    if (chunk !== undefined) {
      this.bytes -= chunk.length;
      if (this.isPaused && this.bytes < HIGH_WATER_BYTES) {
        this.isPaused = false;
        this.connection?.resume();
      }
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.isOver) return Promise.resolve(DONE);
    if (this.problem !== undefined) return Promise.reject(this.problem.fault);
    return new Promise((resolve, reject) => this.listen(resolve, reject));
  }

  take(onRead: (read: ByteRead) => void, onFault: (fault: unknown) => void): void {
    if (this.chunks.length > 0 || this.isOver || this.problem !== undefined) void this.read().then(onRead, onFault);
    else this.listen(onRead, onFault);
  }

  private listen(onRead: (read: ByteRead) => void, onFault: (fault: unknown) => void): void {
    this.onRead = onRead;
    this.onReadFault = onFault;
  }

  /** Closes the connection, unless the answer has been received to its end. */
  cancel(): Promise<void> {
    if (!this.isOver && this.problem === undefined) {
      this.connection?.destroy();
      this.onFault(new Error("The attempt was cancelled"));
    }
    return Promise.resolve();
  }
}

/**
 * Sends a request; resolves with what `open` makes of the head of its answer and of the body that is to come. The signal ends it,
 * whatever it is doing.
 */
export function callUpstream<T>(
  connections: Connections,
  request: UpstreamRequest,
  signal: AbortSignal,
  open: (answer: UpstreamAnswer) => T | PromiseLike<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const call = new UpstreamCall(open, resolve, reject);
    call.connection = connections.send(request, call);
    cancelMarkOf(signal).onAbort(() => void call.cancel());
  });
}
