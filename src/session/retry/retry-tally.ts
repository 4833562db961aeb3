import type { Failure, GenerationEvent } from "../../kernel/index.ts";
import type { RetryTally, StatusTally } from "../../wire/index.ts";

/** A generation that has begun, as far as the tally depends on it. */
interface Course {
  readonly failure: Failure | undefined;
  readonly failedAt: number;
  /** Since the last call. */
  readonly waitedMs: number;
  readonly retries: number;
  /** Something was waited for or moved to after a failure. */
  readonly isRetrying: boolean;
}

export interface TallyState {
  readonly tally: RetryTally;
  /** By the generation's id. */
  readonly courses: ReadonlyMap<string, Course>;
}

type Totals = Omit<RetryTally, "statuses">;

const BEGUN: Course = { failure: undefined, failedAt: 0, waitedMs: 0, retries: 0, isRetrying: false };
const NONE: StatusTally = { failures: 0, retries: 0, worked: 0 };

export const NO_RETRIES: RetryTally = {
  ...{ generations: 0, retries: 0, retried: 0, recovered: 0, cancelled: 0, waitedMs: 0, retryingMs: 0 },
  statuses: {},
};

/** C7: the tally after one more event. Pure. */
export function tallyEvent({ tally, courses }: TallyState, event: GenerationEvent): TallyState {
  const id = event.generationId;
  const course = courses.get(id) ?? BEGUN;
  const { failure } = course;
  const go = (changes: Partial<Course>, changed = tally): TallyState => ({
    tally: changed,
    courses: new Map(courses).set(id, { ...course, ...changes }),
  });
  switch (event.type) {
    case "wait-start":
      return go({ isRetrying: true });
    case "target-switch":
      // Before the first call it only goes round a target that cools down.
      return failure === undefined ? { tally, courses } : go({ isRetrying: true });
    case "wait-end":
      return go({ waitedMs: course.waitedMs + event.waitedMs });
    case "attempt-start": {
      if (failure === undefined) return { tally, courses };
      const made = addStatus(sum(tally, { retries: 1, waitedMs: course.waitedMs }), failure, { retries: 1 });
      return go({ waitedMs: 0, retries: course.retries + 1 }, made);
    }
    case "attempt-end": {
      if (event.failure !== undefined)
        return go(
          { failure: event.failure, failedAt: failure === undefined ? event.at : course.failedAt },
          addStatus(tally, event.failure, { failures: 1 }),
        );
      return failure === undefined ? { tally, courses } : go({}, addStatus(tally, failure, { worked: 1 }));
    }
    case "generation-end": {
      const left = new Map(courses);
      left.delete(id);
      return { tally: sum(tally, endOf(course, event)), courses: left };
    }
    default:
      return { tally, courses };
  }
}

function endOf(course: Course, { at, receipt }: Extract<GenerationEvent, { type: "generation-end" }>): Partial<Totals> {
  const isCancelled = course.isRetrying && (receipt.outcome === "gave-up" || receipt.outcome === "aborted");
  const ended = { generations: 1, cancelled: isCancelled ? 1 : 0 };
  if (course.retries === 0) return ended;
  return { ...ended, retried: 1, recovered: receipt.complete ? 1 : 0, retryingMs: at - course.failedAt };
}

/** A stream that broke off came with status 200, which is not what went wrong. */
function addStatus(tally: RetryTally, { status, kind }: Failure, more: Partial<StatusTally>): RetryTally {
  const name = status === undefined || status < 400 ? kind : String(status);
  return { ...tally, statuses: { ...tally.statuses, [name]: sum(tally.statuses[name] ?? NONE, more) } };
}

function sum<T extends object>(totals: T, more: Partial<NoInfer<T>>): T {
  const changed = Object.entries(more).map(([key, value]) => [key, Number(totals[key as keyof T]) + Number(value)]);
  return { ...totals, ...Object.fromEntries(changed) };
}

/** Counts the retries of all generations that it hears of. Sessions that share one are counted together. */
export class RetryCounter {
  #state: TallyState = { tally: NO_RETRIES, courses: new Map() };

  get tally(): RetryTally {
    return this.#state.tally;
  }

  hear(event: GenerationEvent): void {
    this.#state = tallyEvent(this.#state, event);
  }
}
