type Result<T> = IteratorResult<T, undefined>;

/** Takes one chunk, the end, or a promise that rejects: the `resolve` of a promise is one. */
export type ChunkWaiter<T> = (result: Result<T> | PromiseLike<never>) => void;

/** Hears once how a stream has ended. */
export interface EndListener {
  onClose(): void;
  onFail(error: unknown): void;
}

// One function that hands `resolve` out, instead of a closure for every chunk: nothing can come between the two lines.
let taken: unknown;
const takeResolve = (resolve: unknown): void => {
  taken = resolve;
};

/** Shared: no reader of a stream writes to what it gets. */
const OVER = Promise.resolve(undefined);

/**
 * The state of one direct stream: what the specification calls the stream and its controller, for a queue of size 0. Nothing is
 * read ahead; what is given without being asked for stands in line.
 */
export abstract class StreamCore<T> {
  /** Whether the platform's own stream reads this one: then so do all who come later, because it has a queue. */
  isPlatform = false;
  /** The platform's own stream, once there is one. */
  platform: EndListener | undefined = undefined;
  /** The lock on the platform's own stream, while somebody else reads. */
  platformLock: { releaseLock(): void } | undefined = undefined;
  /** Who reads: a reader or an iterator. Undefined: the stream is not locked. */
  holder: EndListener | undefined = undefined;
  /** Whether it was ever read or cancelled. */
  isDisturbed = false;
  state: "readable" | "closed" | "failed" = "readable";
  error: unknown = undefined;
  private waiter: ChunkWaiter<T> | undefined = undefined;
  /** Those behind it: hardly any reader asks twice at once. */
  private others: ChunkWaiter<T>[] | undefined = undefined;
  private line: T[] | undefined = undefined;
  private isAsking = false;
  private closesAfterLine = false;
  /** Whether a read has the source's own promise. */
  private isFlowing = false;
  /** Why that read was taken back. */
  private dropError: unknown = undefined;

  /** Asks the source for one more chunk. It replies by `give`, `close` or `fail`, at once or later, and is not asked again before. */
  protected abstract pull(): void;
  /** The reader wants no more. May return a promise. */
  protected abstract leave(reason: unknown): unknown;

  /** The promise of the next chunk from the source itself, without a waiter. Undefined: not now. See `fits` and `wait`. */
  protected flow(): Promise<Result<T>> | undefined {
    return undefined;
  }
  /** Makes the promise of the flow reject, if that is possible at once. */
  protected takeBack(): void {}

  // The reader's side.

  /** The promise of the next chunk. */
  next(): Promise<Result<T>> {
    const isFree = !this.isAsking && this.waiter === undefined && this.line === undefined;
    const flow = isFree && this.state === "readable" ? this.flow() : undefined;
    if (flow !== undefined) {
      this.isDisturbed = true;
      this.isAsking = true;
      this.isFlowing = true;
      return flow;
    }
    const promise = new Promise<Result<T>>(takeResolve);
    this.read(taken as ChunkWaiter<T>);
    return promise;
  }

  release(): void {
    this.holder = undefined;
    this.platformLock?.releaseLock();
    this.platformLock = undefined;
  }

  read(waiter: ChunkWaiter<T>): void {
    this.isDisturbed = true;
    if (this.line !== undefined) return this.serveFromLine(this.line, waiter);
    if (this.state === "closed") return waiter({ done: true, value: undefined });
    if (this.state === "failed") return waiter(Promise.reject(this.error));
    if (this.waiter === undefined) this.waiter = waiter;
    else if (this.others === undefined) this.others = [waiter];
    else this.others.push(waiter);
    if (!this.isAsking) this.ask();
  }

  /** Gives up the rest. Rejects with what the stream has failed with, or its source can't be left with. */
  cancel(reason: unknown): Promise<undefined> {
    this.isDisturbed = true;
    if (this.state === "closed") return OVER;
    if (this.state === "failed") return Promise.reject(this.error);
    this.line = undefined;
    this.end();
    try {
      return Promise.resolve(this.leave(reason)).then(() => undefined);
    } catch (problem) {
      return Promise.reject(problem);
    }
  }

  /** The reader leaves, with these reads still open. What they asked for goes to the next reader. */
  dropWaiters(error: unknown): void {
    // One that was cancelled has its end on the way.
    if (this.isFlowing && this.state === "readable") {
      this.dropError = error;
      this.takeBack();
    }
    for (let waiter = this.nextWaiter(); waiter !== undefined; waiter = this.nextWaiter())
      waiter(Promise.reject(error));
  }

  // The source's side.

  /** The chunk of the flow has come, and goes to its read. False: that was taken back, so the next one gets it. */
  protected flowed(): boolean {
    if (this.dropError !== undefined) return false;
    this.endFlow();
    return true;
  }

  /** The read of the flow waits like others, ahead of them. */
  wait(): Promise<Result<T>> {
    const error = this.dropError;
    this.isFlowing = false;
    this.dropError = undefined;
    if (error !== undefined) return Promise.reject(error);
    const promise = new Promise<Result<T>>(takeResolve);
    const waiter = taken as ChunkWaiter<T>;
    if (this.state !== "readable") this.read(waiter);
    else {
      if (this.waiter !== undefined) this.others = [this.waiter, ...(this.others ?? [])];
      this.waiter = waiter;
    }
    return promise;
  }

  takenBack(): Promise<never> | undefined {
    const error = this.dropError;
    if (error === undefined) return undefined;
    this.dropError = undefined;
    this.endFlow();
    return Promise.reject(error);
  }

  private endFlow(): void {
    this.isFlowing = false;
    this.isAsking = false;
    if (this.waiter !== undefined) queueMicrotask(() => this.askIfWaitedFor());
  }

  give(value: T): void {
    this.pass({ done: false, value });
  }

  /** The same for a chunk that comes as the result of another read: that goes on as it is. */
  pass(result: IteratorYieldResult<T>): void {
    if (this.state !== "readable") return;
    this.isAsking = false;
    const { waiter } = this;
    if (waiter === undefined) {
      this.line ??= [];
      this.line.push(result.value);
      return;
    }
    if (this.others === undefined) {
      this.waiter = undefined;
      return waiter(result);
    }
    this.waiter = this.others.shift();
    waiter(result);
    // Not at once: the source may be in the middle of giving more.
    if (this.waiter !== undefined) queueMicrotask(() => this.askIfWaitedFor());
  }

  private askIfWaitedFor(): void {
    if (this.waiter !== undefined && !this.isAsking && this.state === "readable") this.ask();
  }

  close(): void {
    if (this.state !== "readable") return;
    if (this.line === undefined) this.end();
    else this.closesAfterLine = true;
  }

  fail(error: unknown): void {
    if (this.state !== "readable") return;
    this.state = "failed";
    this.error = error;
    this.line = undefined;
    this.dropWaiters(error);
    this.holder?.onFail(error);
    this.platform?.onFail(error);
  }

  private ask(): void {
    this.isAsking = true;
    this.pull();
  }

  /** The last one goes out before the end is told: nobody takes a chunk after it. */
  private serveFromLine(line: T[], waiter: ChunkWaiter<T>): void {
    const value = line.shift() as T;
    if (line.length === 0) this.line = undefined;
    waiter({ done: false, value });
    if (this.line === undefined && this.closesAfterLine) this.end();
  }

  private nextWaiter(): ChunkWaiter<T> | undefined {
    const { waiter } = this;
    this.waiter = this.others?.shift();
    return waiter;
  }

  private end(): void {
    if (this.state !== "readable") return;
    this.state = "closed";
    for (let waiter = this.nextWaiter(); waiter !== undefined; waiter = this.nextWaiter())
      waiter({ done: true, value: undefined });
    this.holder?.onClose();
    this.platform?.onClose();
  }
}
