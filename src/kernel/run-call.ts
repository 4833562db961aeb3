import type { Attempt, AttemptContext } from "./attempt/attempt.ts";
import type { Setup } from "./generation-state.ts";
import { Generation } from "./run.ts";

/** One call to a target. It may look at the context's signal, and should. */
export type AttemptCall<T> = (context: AttemptContext) => T | PromiseLike<T>;

export interface CallSetup extends Setup {
  /** The text of an answer, for required content; undefined: it has none. */
  readonly textOf: (value: unknown) => string | undefined;
  /** What the caller's promise is resolved with when the generation has ended. */
  readonly present: (generation: CallGeneration) => unknown;
}

/** What a call generation does. How it is made stands below. */
abstract class CallMethods extends Generation {
  declare readonly setup: CallSetup;
  declare value: unknown;
  declare private readonly call: AttemptCall<unknown>;
  // The promise's `resolve` alone: it can reject as well, and a sleeping generation is that much smaller.
  declare private readonly resolve: (outcome: unknown) => void;

  protected override launch(attempt: Attempt): void {
    let answer: unknown;
    try {
      answer = this.call(attempt);
    } catch (problem) {
      // Turned into a rejection: a call that always throws at once must not make the loop recurse.
      answer = Promise.reject(problem);
    }
    (answer instanceof Promise ? answer : Promise.resolve(answer)).then(
      (value) => this.receive(attempt, value),
      (problem) => this.fail(attempt, problem),
    );
  }

  private receive(attempt: Attempt, value: unknown): void {
    if (this.current !== attempt) return;
    if (attempt.cancelledFor !== undefined) return this.fail(attempt, undefined);
    this.value = value;
    this.finishAttempt(attempt);
  }

  protected override answerText(): string | undefined {
    return this.setup.textOf(this.value);
  }

  protected override canReplay(): boolean {
    return true;
  }

  protected override hasDelivered(): boolean {
    return false;
  }

  protected override discard(): void {
    this.value = undefined;
  }

  protected override letGo(): void {}

  protected override settle(): void {
    this.resolve(this.setup.present(this));
  }
}

/** A generation whose answer comes as one value. */
export type CallGeneration = CallMethods;

type NewCallGeneration = new (
  setup: CallSetup,
  call: AttemptCall<unknown>,
  resolve: (outcome: unknown) => void,
  signal: AbortSignal | undefined,
  id: string,
) => CallGeneration;

/**
 * Sets every field itself and has no parent: `super()` up a chain of classes costs a fifth of a good call wherever the
 * compiler does not happen to inline it. A test compares the fields with those that every generation has.
 */
function CallFields(
  this: Record<string, unknown>,
  setup: CallSetup,
  call: AttemptCall<unknown>,
  resolve: (outcome: unknown) => void,
  signal: AbortSignal | undefined,
  id: string,
): void {
  this.setup = setup;
  this.wakeAtMs = 0;
  this.slot = -1;
  this.state = "ready";
  this.current = undefined;
  this.trail = undefined;
  this.signal = signal;
  this.givenId = id;
  this.madeId = "";
  this.attempts = 0;
  this.position = 0;
  this.clockMs = 0;
  this.value = undefined;
  this.call = call;
  this.resolve = resolve;
}
CallFields.prototype = CallMethods.prototype;

export const CallGeneration = CallFields as unknown as NewCallGeneration;
