import type { ScheduleShape } from "./schedule-shape.ts";

/**
 * How many retries fit into the budget when no delay is jittered: the longest run whose sum is at most `budgetMs`.
 * Infinity when the delays add up to nothing, or to so little that the count could not be held exactly.
 */
export function countWithinBudget(shape: ScheduleShape, budgetMs: number): number {
  const { rampMs } = shape;
  let sumMs = 0;
  for (let index = 0; index < rampMs.length; index++) {
    const longerMs = sumMs + (rampMs[index] as number);
    if (longerMs > budgetMs) return index;
    sumMs = longerMs;
  }
  const count = rampMs.length + countBeyondRamp(shape, budgetMs - sumMs);
  return Number.isSafeInteger(count) ? count : Number.POSITIVE_INFINITY;
}

/**
 * Past the table the sum has a closed form, so the count is found by bisection: at most 53 steps for a 1 ms delay in an
 * 8 h budget, where adding up would take 28.8 million.
 */
function countBeyondRamp(shape: ScheduleShape, leftMs: number): number {
  const lastMs = shape.rampMs.at(-1) as number;
  if (lastMs === 0) return Number.POSITIVE_INFINITY;

  // The delays past the table are never shorter than its last one.
  let most = Math.floor(leftMs / lastMs) + 1;
  if (!Number.isSafeInteger(most)) return Number.POSITIVE_INFINITY;
  let fits = 0;
  while (fits < most) {
    const middle = fits + Math.ceil((most - fits) / 2);
    if (sumBeyondRamp(shape, lastMs, middle) <= leftMs) fits = middle;
    else most = middle - 1;
  }
  return fits;
}

/** The sum of the first `count` delays that follow the table. */
function sumBeyondRamp({ slope, ceilingMs }: ScheduleShape, lastMs: number, count: number): number {
  if (slope === null) return count * lastMs;
  // log1p and expm1 because the factor is so close to 1 that the plain forms would cancel to nothing.
  const growth = Math.log1p(slope.factor - 1);
  const climbing = Math.min(count, Math.floor(Math.log(ceilingMs / lastMs) / growth));
  const climbedMs = (lastMs * slope.factor * Math.expm1(climbing * growth)) / (slope.factor - 1);
  return climbedMs + (count - climbing) * ceilingMs;
}
