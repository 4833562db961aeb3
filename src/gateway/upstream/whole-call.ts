import { AnswerError } from "../../library/answer-error.ts";
import { cancelMarkOf } from "../../library/cancel-mark.ts";
import type { AnswerSink, Connection } from "./connection.ts";
import type { Connections, UpstreamRequest } from "./connections.ts";
import type { Head } from "./read-head.ts";
import { unpackedWhole } from "./unpack-answer.ts";

/** An answer that was received to its end. */
export interface WholeAnswer {
  readonly head: Head;
  readonly body: Buffer;
}

/** More than any answer. */
export const MOST_BYTES = 256 * 1024 * 1024;
/** More of a refusal than is ever read. */
const MOST_REFUSAL_BYTES = 1_048_576;
const NOTHING: Buffer = Buffer.alloc(0);

/** One request to an endpoint, whose answer is collected. */
class WholeCall<T> implements AnswerSink {
  /** Until the answer has come: then another request may have it. */
  connection: Connection | undefined = undefined;
  private head: Head | undefined = undefined;
  private first: Buffer = NOTHING;
  private others: Buffer[] | undefined = undefined;
  private bytes = 0;
  private readonly judge: (answer: WholeAnswer) => T;
  private readonly resolve: (judged: T | PromiseLike<T>) => void;
  private readonly reject: (fault: unknown) => void;

  constructor(
    judge: (answer: WholeAnswer) => T,
    resolve: (judged: T | PromiseLike<T>) => void,
    reject: (fault: unknown) => void,
  ) {
    this.judge = judge;
    this.resolve = resolve;
    this.reject = reject;
  }

  onHead(head: Head): void {
    this.head = head;
  }

  onBytes(lent: Buffer): boolean {
    const bytes = Buffer.from(lent);
    this.bytes += bytes.length;
    // Most answers come in one piece.
    if (this.first === NOTHING) this.first = bytes;
    else if (this.others === undefined) this.others = [bytes];
    else this.others.push(bytes);
    const isTooLarge = this.bytes > (this.isRefusal() ? MOST_REFUSAL_BYTES : MOST_BYTES);
    if (isTooLarge) this.stop();
    return !isTooLarge;
  }

  onEnd(): void {
    this.connection = undefined;
    const { head, first, others } = this;
    if (head === undefined) return;
    const answer = { head, body: others === undefined ? first : Buffer.concat([first, ...others]) };
    if (head.packing !== "") return this.resolve(unpackedWhole(answer).then(this.judge));
    try {
      this.resolve(this.judge(answer));
    } catch (problem) {
      this.reject(problem);
    }
  }

  onFault(fault: unknown): void {
    this.connection = undefined;
    // What has come of a refusal is enough to judge it by.
    if (this.isRefusal()) this.onEnd();
    else this.reject(fault);
  }

  private isRefusal(): boolean {
    return this.head !== undefined && this.head.status >= 300;
  }

  private stop(): void {
    this.connection?.destroy();
    const message = `The answer is larger than ${MOST_BYTES} bytes`;
    this.onFault(new AnswerError({ code: "stream_broken", message }, {}));
  }
}

/** Sends a request; resolves with what `judge` makes of all of its answer. The signal ends it, whatever it is doing. */
export function callWhole<T>(
  connections: Connections,
  request: UpstreamRequest,
  signal: AbortSignal,
  judge: (answer: WholeAnswer) => T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const call = new WholeCall(judge, resolve, reject);
    call.connection = connections.send(request, call);
    cancelMarkOf(signal).onAbort(() => {
      call.connection?.destroy();
      reject(new Error("The attempt was cancelled"));
    });
  });
}
