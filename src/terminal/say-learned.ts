import { sayDuration } from "./say-duration.ts";

interface Learned {
  readonly successes: number;
  readonly failures: number;
  /** Mean wait before a retry that worked. */
  readonly meanWaitMs: number;
  /** What waits are multiplied by. */
  readonly factor: number;
  readonly isUsed: boolean;
}

/** C10: what adaptive waits have learned about one situation. Old outcomes count for less, so the numbers need not be whole. */
export function sayLearned({ successes, failures, meanWaitMs, factor, isUsed }: Learned): string {
  const count = Math.round(successes + failures);
  const share = Math.round((100 * successes) / (successes + failures));
  const mean = successes === 0 ? "" : ` (after ${sayDuration(meanWaitMs)})`;
  const worked = `${share} % of ${count} ${count === 1 ? "retry" : "retries"} worked${mean}`;
  return `${worked}: waits × ${factor.toFixed(2)}${isUsed ? "" : ", not used"}`;
}
