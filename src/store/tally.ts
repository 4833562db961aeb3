import type { ExperienceKey } from "./store.ts";

export type Outcome = ExperienceKey & { readonly ok: boolean; readonly waitedMs: number };

/** Outcomes of retries with one provider, endpoint and status. */
export interface Tally {
  readonly successes: number;
  readonly failures: number;
  /** Sum over those that worked. */
  readonly waitedMs: number;
}

export const NO_TALLY: Tally = { successes: 0, failures: 0, waitedMs: 0 };

/**
 * Providers change: last year's outcomes are no guide to today. Past this many outcomes the old ones count half, again and
 * again, so that the last fifty to a hundred weigh most. Fewer would swing with every bad minute.
 */
export const MOST_OUTCOMES = 100;

/** The tally with one more outcome. Pure; counts stay whole, as the database keeps them. */
export function addOutcome(tally: Tally, { ok, waitedMs }: Pick<Outcome, "ok" | "waitedMs">): Tally {
  const isFull = tally.successes + tally.failures >= MOST_OUTCOMES;
  const { successes, failures, waitedMs: waited } = isFull ? halved(tally) : tally;
  if (!ok) return { successes, failures: failures + 1, waitedMs: waited };
  return { successes: successes + 1, failures, waitedMs: waited + waitedMs };
}

/** The waits shrink in step with the successes, so their mean stays the same. */
function halved({ successes, failures, waitedMs }: Tally): Tally {
  const left = Math.floor(successes / 2);
  return {
    successes: left,
    failures: Math.floor(failures / 2),
    waitedMs: successes === 0 ? 0 : waitedMs * (left / successes),
  };
}
