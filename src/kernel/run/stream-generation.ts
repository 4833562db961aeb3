import { AnswerText, type Unread } from "../attempt/answer-text.ts";
import type { Attempt } from "../attempt/attempt.ts";
import { Delivery } from "../attempt/delivery.ts";
import type { Reading } from "../attempt/reading.ts";
import type { Failure } from "../model/failure.ts";
import { isCallingBack, PULL } from "./calling-source.ts";
import { endEarly } from "./end.ts";
import { Generation } from "./generation.ts";
import { iteratorOf } from "./iterator-of.ts";
import { judgeItem } from "./judge-item.ts";
import { releaseSource } from "./release-source.ts";
import type { AttemptStream, StreamSetup, Waiter } from "./stream-setup.ts";
import { whyBroken } from "./why-broken.ts";
import { whyNotOpened } from "./why-not-opened.ts";

// One function that hands `resolve` out, instead of a closure for every item: nothing can come between the two lines.
let taken: unknown;
const takeWaiter = (resolve: unknown): void => {
  taken = resolve;
};

/** Only a call settles a promise: a stream has one for each item. */
const noPromise = (): void => undefined;

/** A generation whose answer comes item by item. The consumer pulls; nothing runs ahead of it. */
export class StreamGeneration<T> extends Generation<StreamSetup<T>> implements AsyncIterableIterator<T, undefined> {
  declare protected readonly call: AttemptStream<T>;
  protected delivery: Delivery<T>;
  protected source: AsyncIterator<T> | undefined = undefined;
  /** The callbacks of the current attempt, made once for all of its items. */
  private onItem: ((result: IteratorResult<T>) => void) | undefined = undefined;
  private onProblem: ((problem: unknown) => void) | undefined = undefined;
  protected isPulling = false;
  /** How many items of the current attempt were given out. */
  protected given = 0;
  /** The text so far, where content is required. */
  protected text: AnswerText<T> | undefined = undefined;
  /** A reader that waits for an item; there is hardly ever more than one. */
  protected waiter: Waiter<T> | undefined = undefined;
  /** Those behind it. */
  private queue: Waiter<T>[] | undefined = undefined;
  private hasStarted = false;
  private hasToldError = false;

  constructor(setup: StreamSetup<T>, open: AttemptStream<T>, signal: AbortSignal | undefined, id: string) {
    super(setup, open, noPromise, signal, id);
    this.clockMs = setup.ports.now();
    this.delivery = new Delivery(setup.sink);
  }

  // The consumer's side.

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const promise = new Promise<IteratorResult<T, undefined>>(takeWaiter);
    this.read(taken as Waiter<T>);
    return promise;
  }

  /** The same for a reader that needs no promise: it is called with the item, the end, or a promise that rejects. */
  read(waiter: Waiter<T>): void {
    if (this.waiter === undefined) this.waiter = waiter;
    else if (this.queue === undefined) this.queue = [waiter];
    else this.queue.push(waiter);
    this.serve();
  }

  /** The consumer leaves: the attempt is cancelled and nothing more is started. */
  return(): Promise<IteratorResult<T, undefined>> {
    this.hasToldError = true;
    // A consumer that leaves at the terminal marker has the whole answer.
    if (this.current !== undefined && this.delivery.hasEnd) this.finishWhole(this.current);
    endEarly(this, "aborted", "The consumer stopped reading");
    this.delivery = new Delivery("committed");
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Gives ready items to the waiting readers, and pulls more if one still waits. */
  protected serve(): void {
    const { delivery } = this;
    while (this.waiter !== undefined && delivery.ready.length > 0) this.give(delivery.ready.shift() as T);
    if (this.waiter === undefined) return;
    if (this.isEnded()) return this.dismiss();
    if (this.hasStarted) return this.pull();
    this.hasStarted = true;
    this.start();
  }

  private give(item: T): void {
    this.given++;
    this.nextWaiter()?.({ done: false, value: item });
  }

  /** Hands the source's own result on. With more readers in line a copy, because a source may use one object for all its items. */
  private pass(result: IteratorYieldResult<T>): void {
    if (this.queue !== undefined) return this.give(result.value);
    this.given++;
    const { waiter } = this;
    this.waiter = undefined;
    waiter?.(result);
  }

  private nextWaiter(): Waiter<T> | undefined {
    const { waiter } = this;
    this.waiter = this.queue?.shift();
    return waiter;
  }

  /** Nothing more will come: the first reader gets the failure, if any, the others the end. */
  private dismiss(): void {
    for (let waiter = this.nextWaiter(); waiter !== undefined; waiter = this.nextWaiter()) {
      const isBadNews = !this.ok && !this.isParked && !this.hasToldError;
      this.hasToldError = true;
      waiter(isBadNews ? Promise.reject(this.setup.toError(this)) : { done: true, value: undefined });
    }
  }

  // The provider's side.

  override launch(attempt: Attempt): void {
    let opened: AsyncIterable<T> | PromiseLike<AsyncIterable<T>>;
    let isOpen = false;
    // Not as a method: `this` of the caller's function is no object of ours.
    const { call } = this;
    try {
      opened = call(attempt);
      isOpen = Symbol.asyncIterator in Object(opened) && !("then" in opened);
    } catch (problem) {
      opened = Promise.reject(problem);
    }
    // Most open at once: they need no promise in between.
    if (isOpen) return this.connect(attempt, opened as AsyncIterable<T>);
    Promise.resolve(opened).then(
      (iterable) => this.connect(attempt, iterable),
      (problem) => this.fail(attempt, problem),
    );
  }

  private connect(attempt: Attempt, iterable: AsyncIterable<T>): void {
    let source: AsyncIterator<T>;
    try {
      source = iteratorOf(iterable);
    } catch (problem) {
      // Not at once: a call that always throws must not make the loop recurse.
      whyNotOpened(iterable, problem, this.setup).then((reason) => this.fail(attempt, reason));
      return;
    }
    if (this.current !== attempt || attempt.cancelledFor !== undefined) {
      releaseSource(source);
      return this.fail(attempt, undefined);
    }
    this.source = source;
    this.onItem = (result) => this.receive(attempt, result);
    this.onProblem = (problem) => this.break(attempt, problem);
    if (this.waiter !== undefined) this.pull();
    else attempt.pause("noise");
  }

  private pull(): void {
    const { source, current, onItem, onProblem } = this;
    // Between two attempts, or not connected yet: the pull comes with the connection.
    if (source === undefined || current === undefined || this.isPulling) return;
    this.isPulling = true;
    current.resume();
    try {
      if (isCallingBack(source))
        source[PULL](onItem as NonNullable<typeof onItem>, onProblem as NonNullable<typeof onProblem>);
      else source.next().then(onItem, onProblem);
    } catch (problem) {
      Promise.reject(problem).catch(onProblem);
    }
  }

  /** Foreign code is called on the way; a fault of ours or theirs must not leave the reader waiting. */
  private receive(attempt: Attempt, result: IteratorResult<T>): void {
    try {
      this.take(attempt, result);
    } catch (fault) {
      this.fail(attempt, fault);
    }
  }

  protected take(attempt: Attempt, result: IteratorResult<T>): void {
    if (this.current !== attempt) return;
    if (attempt.cancelledFor !== undefined) return this.fail(attempt, undefined);
    this.isPulling = false;
    if (result.done === true) return this.conclude(attempt);
    this.sort(attempt, result, this.judge(result.value));
  }

  protected sort(attempt: Attempt, result: IteratorYieldResult<T>, reading: Reading): void {
    if (typeof reading === "object") {
      this.letGo();
      return this.break(attempt, reading.problem);
    }
    const { delivery } = this;
    if (reading === "content" && delivery.isFlowing && this.text === undefined) {
      this.pass(result);
      // The next read starts the idle limit anew: only a reader that is in line already needs it to be done now.
      if (this.waiter === undefined) return attempt.rest();
      attempt.noteProgress();
    } else if (!delivery.ignores(reading)) {
      if (reading !== "noise") attempt.noteProgress();
      if (this.setup.policy.policy.require !== null) this.collect(result.value);
      if (delivery.passes(result.value, reading)) this.pass(result);
    }
    if (this.waiter !== undefined) this.serve();
    if (this.waiter === undefined) attempt.pause(reading);
  }

  protected judge(item: T): Reading {
    const reading = judgeItem(item, this.setup, this.source);
    if (reading !== undefined) return reading;
    this.delivery.hasEnd = true;
    return "content";
  }

  private collect(item: T): void {
    this.text ??= new AnswerText();
    this.text.add(item, this.setup.textOf);
  }

  protected break(attempt: Attempt, problem: unknown): void {
    if (this.current !== attempt) return;
    // The answer was whole: what breaks after its terminal marker is no loss.
    if (this.delivery.hasEnd && attempt.cancelledFor === undefined) return this.conclude(attempt);
    this.fail(attempt, problem);
  }

  private conclude(attempt: Attempt): void {
    const failure = this.setup.inspect === undefined ? undefined : whyBroken(this.delivery, attempt.target);
    if (failure === undefined) this.finishAttempt(attempt);
    else this.failWith(attempt, failure);
  }

  /** A source that stays open after the terminal marker has nothing more to say: the answer is whole. */
  override expired(attempt: Attempt, kind: "silent" | "stalled"): void {
    if (this.current === attempt && this.delivery.hasEnd && attempt.cancelledFor === undefined)
      this.finishWhole(attempt);
    else super.expired(attempt, kind);
  }

  /** Closes the source last: that may abort the caller's signal, and the answer is whole. */
  private finishWhole(attempt: Attempt): void {
    const { source, isPulling } = this;
    this.conclude(attempt);
    if (source !== undefined) releaseSource(source);
    // A generator can't be left while it waits inside a read: only its signal ends that.
    if (isPulling) attempt.abandon();
  }

  override answerText(): string | true | Unread {
    return this.text?.whole() ?? "";
  }

  override canReplay(): boolean {
    if (this.given === 0) return true;
    return typeof this.setup.sink === "object" && this.setup.policy.policy.afterContent === "restart";
  }

  override hasDelivered(): boolean {
    return this.given > 0;
  }

  override discard(failure: Failure): void {
    const { sink } = this.setup;
    const discarded = { attempt: this.attemptsMade, items: this.given };
    // Made before anything is taken back: if it can't be made, the partial answer stands and the stream ends.
    const marker = this.given > 0 && typeof sink === "object" ? { value: sink.retractable(discarded) } : undefined;
    if (this.isEnded()) return;
    this.source = undefined;
    this.isPulling = false;
    if (marker !== undefined) {
      // The marker goes first: a listener that ends the stream must not take it from the reader.
      this.nextWaiter()?.({ done: false, value: marker.value });
      this.emit({ type: "attempt-discard", failure, ...discarded });
      if (this.isEnded()) return;
    }
    this.given = 0;
    this.text = undefined;
    this.delivery = new Delivery(sink);
  }

  override letGo(): void {
    if (this.source !== undefined) releaseSource(this.source);
  }

  override settle(): void {
    if (this.ok) this.delivery.complete();
    this.source = undefined;
    this.onItem = undefined;
    this.onProblem = undefined;
    this.serve();
  }
}
