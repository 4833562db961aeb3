import type { Attempt } from "../attempt/attempt.ts";
import type { Reading } from "../attempt/reading.ts";
import { StreamGeneration } from "./stream-generation.ts";
import type { Waiter } from "./stream-setup.ts";

/** A source whose open `next` settles when it is left, as the reads of the platform's streams do. */
export interface SettlingSource<T> extends AsyncIterator<T, undefined> {
  readonly settlesWhenLeft: boolean;
}

/** The only reader of a generation that flows. */
export interface FlowReader<T> {
  /** Waits for an item that can't flow. */
  readonly take: Waiter<T>;
  /** Whether the item goes to who reads as it is. It has been given out then. */
  fits(item: T): boolean;
  /** The promise of a read that has to wait after all: what comes to `take` settles it. */
  wait(): Promise<IteratorResult<T, undefined>>;
  /** A read that was taken back. Undefined: it was not. */
  takenBack(): Promise<never> | undefined;
}

/**
 * Gives the source's own promises out while the answer flows: an item costs one promise less than a reader that waits. Whatever is
 * not plain content goes the way of all others.
 */
export class FlowingGeneration<T> extends StreamGeneration<T> {
  /** The attempt that the callbacks are for. */
  private flowing: Attempt | undefined = undefined;
  /** Undefined: its source is not known to settle. */
  private onFlow: ((result: IteratorResult<T, undefined>) => unknown) | undefined = undefined;
  private onFault: ((problem: unknown) => unknown) | undefined = undefined;

  /** The next item. Undefined: it does not flow now, and has to be waited for. `reader`: the same for all calls. */
  flow(reader: FlowReader<T>): Promise<IteratorResult<T, undefined>> | undefined {
    const { source, current } = this;
    if (source === undefined || current === undefined || this.isPulling || this.waiter !== undefined) return undefined;
    if (!this.delivery.isFlowing || this.text !== undefined) return undefined;
    if (this.flowing !== current) this.follow(current, reader, source);
    if (this.onFlow === undefined) return undefined;
    this.isPulling = true;
    current.resume();
    return source.next().then(this.onFlow, this.onFault) as Promise<IteratorResult<T, undefined>>;
  }

  private follow(attempt: Attempt, reader: FlowReader<T>, source: Partial<SettlingSource<T>>): void {
    this.flowing = attempt;
    this.onFlow = undefined;
    if (source.settlesWhenLeft !== true) return;
    this.onFlow = (result) => this.hand(attempt, reader, result);
    this.onFault = (problem) => this.retract(attempt, reader) ?? this.breakFlow(attempt, reader, problem);
  }

  // Without a closure in it: that would cost every item an object for its variables.
  private hand(attempt: Attempt, reader: FlowReader<T>, result: IteratorResult<T, undefined>): unknown {
    if (this.current !== attempt || attempt.cancelledFor !== undefined || result.done === true)
      return this.wait(attempt, reader, result, undefined);
    const reading = this.judge(result.value);
    this.isPulling = false;
    const flows = reading === "content" || (reading === "noise" && this.delivery.isFlowing);
    if (!flows || !reader.fits(result.value)) return this.wait(attempt, reader, result, reading);
    this.given++;
    if (reading === "content") attempt.rest();
    else attempt.pause("noise");
    return result;
  }

  /** Something else than plain content has come: the reader stands in line before that is dealt with. `reading`: if it was judged. */
  private wait(
    attempt: Attempt,
    reader: FlowReader<T>,
    result: IteratorResult<T, undefined>,
    reading: Reading | undefined,
  ): Promise<IteratorResult<T, undefined>> {
    const promise = reader.wait();
    this.waiter = reader.take;
    try {
      if (reading === undefined || result.done === true) this.take(attempt, result);
      else this.sort(attempt, result, reading);
    } catch (fault) {
      this.fail(attempt, fault);
    }
    // What came was of an attempt that is over.
    if (this.waiter !== undefined) this.serve();
    return promise;
  }

  private breakFlow(attempt: Attempt, reader: FlowReader<T>, problem: unknown): Promise<IteratorResult<T, undefined>> {
    const promise = reader.wait();
    this.waiter = reader.take;
    this.break(attempt, problem);
    if (this.waiter !== undefined) this.serve();
    return promise;
  }

  private retract(attempt: Attempt, reader: FlowReader<T>): Promise<never> | undefined {
    const promise = reader.takenBack();
    if (promise === undefined) return undefined;
    if (this.current === attempt) {
      this.isPulling = false;
      attempt.rest();
    }
    return promise;
  }
}
