import type { Dispatcher } from "undici";
import type { ByteRead, ByteReader } from "../../formats/index.ts";

/** The head of an answer, and its body to be read. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly statusText: string;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  readonly body: ByteReader;
}

/** So much is read ahead of a client that is slow. */
const HIGH_WATER_BYTES = 65_536;
const DONE: ByteRead = { done: true };

/**
 * One request to an endpoint. undici calls it back with the head and the chunks; it is read like a stream, chunk by chunk, and
 * nothing is copied. What is not read for long makes undici stop reading the socket.
 */
export class UpstreamCall implements ByteReader {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private isPaused = false;
  private isOver = false;
  private problem: { readonly error: unknown } | undefined = undefined;
  private waiter: { resolve(read: ByteRead): void; reject(error: unknown): void } | undefined = undefined;
  private abortRequest: ((reason?: Error) => void) | undefined = undefined;
  private resumeBody: (() => void) | undefined = undefined;
  private isCancelled = false;
  private readonly head: { resolve(answer: UpstreamAnswer): void; reject(error: unknown): void };

  constructor(head: UpstreamCall["head"]) {
    this.head = head;
  }

  // What undici calls.

  onConnect(abort: (reason?: Error) => void): void {
    this.abortRequest = abort;
    if (this.isCancelled) abort();
  }

  onHeaders(status: number, rawHeaders: Buffer[], resume: () => void, statusText: string): boolean {
    // 103 Early Hints and their like: the answer follows.
    if (status < 200) return true;
    this.resumeBody = resume;
    const headers = rawHeaders.map((part) => part.toString("latin1"));
    this.head.resolve({ status, statusText, rawHeaders: headers, body: this });
    return true;
  }

  onData(chunk: Buffer): boolean {
    const { waiter } = this;
    if (waiter !== undefined) {
      this.waiter = undefined;
      waiter.resolve({ done: false, value: chunk });
      return true;
    }
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    this.isPaused = this.bytes >= HIGH_WATER_BYTES;
    return !this.isPaused;
  }

  onComplete(): void {
    this.isOver = true;
    this.waiter?.resolve(DONE);
    this.waiter = undefined;
  }

  onError(error: Error): void {
    this.problem = { error };
    this.head.reject(error);
    this.waiter?.reject(error);
    this.waiter = undefined;
  }

  // What the gateway calls.

  read(): Promise<ByteRead> {
    const chunk = this.chunks.shift();
    if (chunk !== undefined) {
      this.bytes -= chunk.length;
      if (this.isPaused && this.bytes < HIGH_WATER_BYTES) {
        this.isPaused = false;
        this.resumeBody?.();
      }
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.isOver) return Promise.resolve(DONE);
    if (this.problem !== undefined) return Promise.reject(this.problem.error);
    return new Promise((resolve, reject) => {
      this.waiter = { resolve, reject };
    });
  }

  /** Closes the connection, unless the answer has been read to its end. */
  cancel(): Promise<void> {
    this.isCancelled = true;
    if (!this.isOver && this.problem === undefined) this.abortRequest?.();
    return Promise.resolve();
  }
}

/** What a call is made with. */
export interface UpstreamRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: Buffer | null;
}

/** Sends a request; resolves with the head of its answer. The signal ends it, whatever it is doing. */
export function callUpstream(
  dispatcher: Dispatcher,
  request: UpstreamRequest,
  signal: AbortSignal,
): Promise<UpstreamAnswer> {
  return new Promise((resolve, reject) => {
    const call = new UpstreamCall({ resolve, reject });
    if (signal.aborted) void call.cancel();
    else signal.addEventListener("abort", () => void call.cancel(), { once: true });
    dispatcher.dispatch(
      {
        ...request,
        method: request.method as Dispatcher.HttpMethod,
        // How long to wait is the engine's to decide.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      call as Dispatcher.DispatchHandler,
    );
  });
}
