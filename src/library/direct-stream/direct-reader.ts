import type { EndListener, StreamCore } from "./stream-core.ts";

type Result<T> = IteratorResult<T, undefined>;

/** A plain function: a class that extends the platform's reader would have to construct one. */
const Base = function Base(): void {} as unknown as new () => object;
Base.prototype = ReadableStreamDefaultReader.prototype;

/** The reader of a direct stream: each `read` goes to the source, without a queue in between. */
export class DirectReader<T> extends Base implements EndListener {
  /** Undefined: the lock is released. */
  private core: StreamCore<T> | undefined;
  private end:
    | { readonly promise: Promise<undefined>; settle: (end: PromiseLike<never> | undefined) => void }
    | undefined = undefined;

  constructor(core: StreamCore<T>) {
    super();
    this.core = core;
    core.holder = this;
  }

  read(): Promise<Result<T>> {
    const { core } = this;
    return core === undefined ? Promise.reject(released()) : core.next();
  }

  cancel(reason?: unknown): Promise<undefined> {
    return this.core === undefined ? Promise.reject(released()) : this.core.cancel(reason);
  }

  releaseLock(): void {
    const { core } = this;
    if (core === undefined) return;
    this.core = undefined;
    const error = released();
    core.dropWaiters(error);
    if (core.state !== "readable") this.end = undefined;
    else this.onFail(error);
    core.release();
  }

  /** Made when it is asked for. */
  get closed(): Promise<undefined> {
    this.end ??= this.makeEnd();
    return this.end.promise;
  }

  onClose(): void {
    this.end?.settle(undefined);
  }

  onFail(error: unknown): void {
    this.end?.settle(Promise.reject(error));
  }

  private makeEnd(): NonNullable<typeof this.end> {
    let settle: (end: PromiseLike<never> | undefined) => void = () => undefined;
    const promise = new Promise<undefined>((resolve) => {
      settle = resolve;
    });
    // Nobody has to listen to it.
    promise.catch(() => undefined);
    const { core } = this;
    if (core === undefined) settle(Promise.reject(released()));
    else if (core.state === "closed") settle(undefined);
    else if (core.state === "failed") settle(Promise.reject(core.error));
    return { promise, settle };
  }
}

function released(): TypeError {
  return new TypeError("The reader has released its lock on the stream");
}
