import type { Jitter } from "../model/schedule-spec.ts";

interface JitterInput {
  readonly jitter: Exclude<Jitter, "none">;
  /** The delay of this retry before jitter. */
  readonly delayMs: number;
  /** The delay of the first retry. */
  readonly baseMs: number;
  readonly previousMs: number | undefined;
  readonly ceilingMs: number;
  readonly random: number;
}

/**
 * Spreads a delay at random.
 * - full: between 0 and the delay.
 * - equal: between half the delay and the delay.
 * - decorrelated: between the first delay and three times the previous one (the first, when there is none); the shape's
 *   own climb plays no part.
 */
export function spread(input: JitterInput): number {
  const { jitter, delayMs, baseMs } = input;
  // A broken random source must not turn a delay into NaN or a negative one: fall back to the longest.
  const random = input.random >= 0 && input.random <= 1 ? input.random : 1;
  switch (jitter) {
    case "full":
      return delayMs * random;
    case "equal":
      // The half of a number near 0 may have been rounded up.
      return Math.min(delayMs, delayMs / 2 + (delayMs / 2) * random);
    case "decorrelated": {
      // The wait really made may have been longer than the ceiling (a hint of the endpoint) or shorter than the base;
      // `|| 0` is for NaN.
      const farMs = Math.min(input.previousMs ?? baseMs, input.ceilingMs) * 3 || 0;
      return Math.min(baseMs + Math.max(farMs - baseMs, 0) * random, input.ceilingMs);
    }
    default:
      return jitter satisfies never;
  }
}
