import { type TextOf, Unread } from "../attempt/answer-text.ts";
import type { Attempt, AttemptContext } from "../attempt/attempt.ts";
import { Generation } from "./generation.ts";
import type { Setup } from "./setup.ts";

/** One call to a target. It may look at the context's signal, and should. */
export type AttemptCall<T> = (context: AttemptContext) => T | PromiseLike<T>;

export interface CallSetup extends Setup {
  /** The text of an answer, for required content. */
  readonly textOf: (value: unknown) => TextOf;
  /** What the caller's promise is resolved with when the generation has ended. */
  readonly present: (generation: CallGeneration) => unknown;
}

/** A generation whose answer comes as one value. */
export class CallGeneration extends Generation<CallSetup> {
  override launch(attempt: Attempt): void {
    // Not as a method: `this` of the caller's function is no object of ours.
    const { call } = this;
    let answer: unknown;
    try {
      answer = call(attempt);
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
    if (typeof value === "object" && value !== null && this.hasProblem(attempt, value)) return;
    this.value = value;
    this.finishAttempt(attempt);
  }

  private hasProblem(attempt: Attempt, value: object): boolean {
    let found: Promise<unknown> | undefined;
    try {
      found = this.setup.problemIn?.(value, this.ports);
    } catch (fault) {
      // An answer of a shape that is not known: the caller may know it.
      this.ports.reportFault(fault, "inspect");
    }
    if (found === undefined) return false;
    const fail = (problem: unknown): void => this.fail(attempt, problem);
    found.then(fail, fail);
    return true;
  }

  override answerText(): string | true | Unread {
    const text = this.setup.textOf(this.value);
    return typeof text === "string" || text === true ? text : new Unread(this.value);
  }

  override canReplay(): boolean {
    return true;
  }

  override hasDelivered(): boolean {
    return false;
  }

  override discard(): void {
    this.value = undefined;
  }

  override letGo(): void {}

  override settle(): void {
    let shown: unknown;
    try {
      shown = this.setup.present(this);
    } catch (fault) {
      this.ports.reportFault(fault, "present");
      shown = Promise.reject(fault);
    }
    this.resolve(shown);
  }
}
