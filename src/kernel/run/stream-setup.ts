import type { TextOf } from "../attempt/answer-text.ts";
import type { AttemptContext } from "../attempt/attempt.ts";
import type { Sink } from "../attempt/delivery.ts";
import type { Reading } from "../attempt/reading.ts";
import type { Setup } from "./setup.ts";
import type { StreamGeneration } from "./stream-generation.ts";

/** One streamed call to a target. */
export type AttemptStream<T> = (context: AttemptContext) => AsyncIterable<T> | PromiseLike<AsyncIterable<T>>;

export interface StreamSetup<T> extends Setup {
  /** What an item means; `by-source`: the source says so. Undefined: every item is content, and the end of the iterable is a good end. */
  readonly inspect: ((item: T) => Reading) | "by-source" | undefined;
  readonly sink: Sink<T>;
  /** The text of an item, for required content. */
  readonly textOf: (item: T) => TextOf;
  /** What the consumer's `next()` rejects with when the generation has failed. */
  readonly toError: (generation: StreamGeneration<T>) => unknown;
}

/** Takes one item, the end, or a promise that rejects. */
export type Waiter<T> = (result: IteratorResult<T, undefined> | PromiseLike<never>) => void;
