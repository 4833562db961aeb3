/**
 * How long generations took to an answer, in buckets of which each is 2 % longer than the one before: a bounded size for any number
 * of generations, and exact to 1 %.
 */
export class AnswerTimes {
  readonly #buckets: number[] = [];
  #started = 0;

  start(): void {
    this.#started++;
  }

  answer(tookMs: number): void {
    const bucket = bucketOf(tookMs);
    while (this.#buckets.length <= bucket) this.#buckets.push(0);
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
  }

  get counts(): AnswerCounts {
    return { started: this.#started, buckets: this.#buckets };
  }
}

export interface AnswerCounts {
  /** Generations that were started. */
  readonly started: number;
  /** Those of them that got an answer, by the time that took. */
  readonly buckets: readonly number[];
}

const SHORTEST_MS = 10;
const STEP = Math.log(1.02);

function bucketOf(ms: number): number {
  return Math.max(0, Math.floor(Math.log(Math.max(ms, SHORTEST_MS) / SHORTEST_MS) / STEP));
}

/** The answers of several runs together. */
export function addCounts(all: readonly AnswerCounts[]): AnswerCounts {
  const buckets: number[] = [];
  for (const counts of all) {
    counts.buckets.forEach((count, at) => {
      buckets[at] = (buckets[at] ?? 0) + count;
    });
  }
  return { started: all.reduce((sum, { started }) => sum + started, 0), buckets };
}

/**
 * Seconds within which this share of all generations got an answer. One that failed or was still waiting at the end is worse than any
 * answer, so the result can be Infinity; null: there were no generations.
 */
export function quantileSeconds({ started, buckets }: AnswerCounts, share: number): number | null {
  if (started === 0) return null;
  let answered = 0;
  for (const [bucket, count] of buckets.entries()) {
    answered += count;
    if (answered >= share * started) return (SHORTEST_MS * Math.exp((bucket + 0.5) * STEP)) / 1000;
  }
  return Number.POSITIVE_INFINITY;
}
