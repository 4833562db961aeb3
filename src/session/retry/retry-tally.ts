import type { Failure, GenerationEvent } from "../../kernel/index.ts";
import type { RetryTally, StatusTally } from "../../wire/index.ts";
import { statusName } from "./status-name.ts";

/** A generation that has begun, as far as the tally depends on it. */
interface Course {
  failure: Failure | undefined;
  failedAt: number;
  /** Since the last call. */
  waitedMs: number;
  retries: number;
  /** Something was waited for or moved to after a failure. */
  isRetrying: boolean;
}

type Totals = Omit<RetryTally, "statuses">;

const NONE: StatusTally = { failures: 0, retries: 0, worked: 0 };

export const NO_RETRIES: RetryTally = {
  ...{ generations: 0, retries: 0, retried: 0, recovered: 0, cancelled: 0, waitedMs: 0, retryingMs: 0 },
  statuses: {},
};

/** C7: counts the retries of all generations that it hears of. Sessions that share one are counted together. */
export class RetryCounter {
  #tally = NO_RETRIES;
  /** By the generation's id. */
  readonly #courses = new Map<string, Course>();

  get tally(): RetryTally {
    return this.#tally;
  }

  hear(event: GenerationEvent): void {
    const id = event.generationId;
    const begun: Course = { failure: undefined, failedAt: 0, waitedMs: 0, retries: 0, isRetrying: false };
    const course = this.#courses.get(id) ?? begun;
    this.#courses.set(id, course);
    const { failure } = course;
    switch (event.type) {
      case "wait-start":
        course.isRetrying = true;
        return;
      case "target-switch":
        // Before the first call it only goes round a target that cools down.
        course.isRetrying ||= failure !== undefined;
        return;
      case "wait-end":
        course.waitedMs += event.waitedMs;
        return;
      case "attempt-start":
        if (failure === undefined) return;
        this.#tally = sum(this.#tally, { retries: 1, waitedMs: course.waitedMs });
        this.#addStatus(failure, { retries: 1 });
        course.waitedMs = 0;
        course.retries++;
        return;
      case "attempt-end":
        // Called off by the user: no failure of the endpoint.
        if (event.failure?.kind === "aborted") return;
        if (event.failure !== undefined) {
          if (failure === undefined) course.failedAt = event.at;
          course.failure = event.failure;
          this.#addStatus(event.failure, { failures: 1 });
        } else if (failure !== undefined) this.#addStatus(failure, { worked: 1 });
        return;
      case "generation-end":
        this.#courses.delete(id);
        this.#tally = sum(this.#tally, endOf(course, event));
        return;
      default:
    }
  }

  #addStatus(failure: Failure, more: Partial<StatusTally>): void {
    const { statuses } = this.#tally;
    const name = statusName(failure);
    this.#tally = { ...this.#tally, statuses: { ...statuses, [name]: sum(statuses[name] ?? NONE, more) } };
  }
}

function endOf(course: Course, { at, receipt }: Extract<GenerationEvent, { type: "generation-end" }>): Partial<Totals> {
  const isCancelled = course.isRetrying && (receipt.outcome === "gave-up" || receipt.outcome === "aborted");
  const ended = { generations: 1, cancelled: isCancelled ? 1 : 0 };
  if (course.retries === 0) return ended;
  return { ...ended, retried: 1, recovered: receipt.complete ? 1 : 0, retryingMs: at - course.failedAt };
}

function sum<T extends object>(totals: T, more: Partial<NoInfer<T>>): T {
  const changed = Object.entries(more).map(([key, value]) => [key, Number(totals[key as keyof T]) + Number(value)]);
  return { ...totals, ...Object.fromEntries(changed) };
}
