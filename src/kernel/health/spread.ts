/** Those who are held back ask again spread over so much time. */
export const SPREAD_MS = 1000;
/** While a probe is out its answer may come at any moment, so those behind it ask again after about so long. */
export const PROBE_ASK_MS = 1000;
/** And so long while a growing share is let through. */
export const ASK_AGAIN_MS = 500;
/** The golden ratio's fraction: its multiples fall evenly between 0 and 1, with no chance in it. */
const GOLDEN = 0.618033988749895;

/** How much later than the first one the n-th who is turned away should ask; the first (0) need not wait longer at all. */
export function spreadMs(turnedAway: number): number {
  return ((turnedAway * GOLDEN) % 1) * SPREAD_MS;
}
