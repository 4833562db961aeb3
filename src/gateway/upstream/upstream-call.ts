import { ByteQueue, type ByteRead, type ByteReader } from "../../formats/index.ts";
import { cancelMarkOf } from "../../library/cancel-mark.ts";
import type { AnswerSink, Connection } from "./connection.ts";
import type { Connections, UpstreamRequest } from "./connections.ts";
import type { Head } from "./read-head.ts";

/** The head of an answer, and its body to be read. */
export interface UpstreamAnswer {
  readonly head: Head;
  readonly body: ByteReader;
}

/** One request to an endpoint, whose answer is read chunk by chunk. */
class UpstreamCall<T> extends ByteQueue implements AnswerSink {
  connection: Connection | undefined = undefined;
  /** The next bytes go to a callback, which is done with them when it returns. */
  private isTaking = false;
  /** No more was asked for since the last bytes. */
  private isStopped = false;
  private readonly open: (answer: UpstreamAnswer) => T | PromiseLike<T>;
  private readonly resolve: (opened: T | PromiseLike<T>) => void;
  private readonly reject: (fault: unknown) => void;

  constructor(open: UpstreamCall<T>["open"], resolve: UpstreamCall<T>["resolve"], reject: UpstreamCall<T>["reject"]) {
    super();
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
      void this.cancel();
    }
  }

  onBytes(bytes: Buffer): boolean {
    // TLS gives out what it has decrypted even after it was told to stop.
    if (!this.isTaking) return this.push(Buffer.from(bytes)) && !this.isStopped;
    this.isTaking = false;
    this.push(bytes);
    // A client that keeps up has asked for more by now. For one that does not, nothing is read ahead.
    this.isStopped = !this.isAwaited;
    return !this.isStopped;
  }

  onEnd(): void {
    this.end();
  }

  onFault(fault: unknown): void {
    this.reject(fault);
    this.fail(fault);
  }

  protected override resumeSource(): void {
    // One whose answer is over may have another request.
    if (!this.isOver) this.connection?.resume();
  }

  private goOn(): void {
    if (!this.isStopped) return;
    this.isStopped = false;
    this.resumeSource();
  }

  // What the gateway calls.

  override read(): Promise<ByteRead> {
    this.goOn();
    return super.read();
  }

  /** The same without a promise for each chunk. */
  take(onRead: (read: ByteRead) => void, onFault: (fault: unknown) => void): void {
    if (this.isReady) return void this.read().then(onRead, onFault);
    this.isTaking = true;
    this.listen(onRead, onFault);
    this.goOn();
  }

  /** Closes the connection, unless the answer has been received to its end. */
  override cancel(): Promise<void> {
    if (!this.isOver && !this.hasFailed) {
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
