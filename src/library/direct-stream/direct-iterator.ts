import type { ChunkWaiter, EndListener, StreamCore } from "./stream-core.ts";

type Result<T> = IteratorResult<T, undefined>;

let taken: unknown;
const takeResolve = (resolve: unknown): void => {
  taken = resolve;
};

/** `for await` over a direct stream: leaving the loop cancels the stream. */
export class DirectIterator<T> implements AsyncIterableIterator<T, undefined>, EndListener {
  private readonly core: StreamCore<T>;
  private isFinished = false;
  private resolve: ((result: Result<T> | PromiseLike<never>) => void) | undefined = undefined;
  private current: Promise<Result<T>> | undefined = undefined;
  /** The last of those that were asked for before the one before had come. */
  private last: Promise<unknown> | undefined = undefined;
  /** Made once for all chunks. */
  private readonly take: ChunkWaiter<T> = (result) => {
    if ("then" in result || result.done === true) this.finish();
    const { resolve } = this;
    this.resolve = undefined;
    resolve?.(result);
  };

  constructor(core: StreamCore<T>) {
    this.core = core;
    core.holder = this;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result<T>> {
    if (this.resolve === undefined && this.last === undefined) return this.step();
    return this.afterLast(() => this.step());
  }

  return(value?: unknown): Promise<Result<T>> {
    if (this.resolve === undefined && this.last === undefined) return this.leave(value);
    return this.afterLast(() => this.leave(value));
  }

  onClose(): void {}

  onFail(): void {}

  private step(): Promise<Result<T>> {
    if (this.isFinished) return Promise.resolve({ done: true, value: undefined });
    this.current = new Promise<Result<T>>(takeResolve);
    this.resolve = taken as typeof this.resolve;
    this.core.read(this.take);
    return this.current;
  }

  private leave(value: unknown): Promise<Result<T>> {
    const result = { done: true as const, value: value as undefined };
    if (this.isFinished) return Promise.resolve(result);
    const cancelled = this.core.cancel(value);
    this.finish();
    return cancelled.then(() => result);
  }

  private finish(): void {
    this.isFinished = true;
    this.core.release();
  }

  private afterLast(go: () => Promise<Result<T>>): Promise<Result<T>> {
    const before = this.last ?? this.current ?? Promise.resolve();
    const next = before.then(go, go);
    const forget = (): void => {
      if (this.last === next) this.last = undefined;
    };
    this.last = next;
    next.then(forget, forget);
    return next;
  }
}
