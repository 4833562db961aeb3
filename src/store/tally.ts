/** How retries in one situation fared. */
export interface Tally {
  readonly successes: number;
  readonly failures: number;
  /** Of those that worked, together. */
  readonly waitedMs: number;
}

export const NO_TALLY: Tally = { successes: 0, failures: 0, waitedMs: 0 };

/**
 * Providers change: what was seen last year says little about today. Past this many outcomes the old ones count half, again and
 * again, so that the last fifty to a hundred weigh most. Fewer would swing with every bad minute.
 */
export const MOST_OUTCOMES = 100;

/** The tally with one more outcome. Pure; counts stay whole, as the database keeps them. */
export function addOutcome(tally: Tally, { ok, waitedMs }: { readonly ok: boolean; readonly waitedMs: number }): Tally {
  const isFull = tally.successes + tally.failures >= MOST_OUTCOMES;
  const { successes, failures, waitedMs: waited } = isFull ? halved(tally) : tally;
  if (!ok) return { successes, failures: failures + 1, waitedMs: waited };
  return { successes: successes + 1, failures, waitedMs: waited + waitedMs };
}

/** What is left of the waits is in step with what is left of the successes: their mean stays. */
function halved({ successes, failures, waitedMs }: Tally): Tally {
  const left = Math.floor(successes / 2);
  return {
    successes: left,
    failures: Math.floor(failures / 2),
    waitedMs: successes === 0 ? 0 : waitedMs * (left / successes),
  };
}
