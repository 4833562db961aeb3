import type { Band } from "../bands.ts";

/** One point of a chart: one or more seconds. */
export interface Point {
  /** The middle of these seconds, from the start of the run. */
  readonly at: number;
  readonly mean: number;
  readonly least: number;
  readonly most: number;
}

const MOST_POINTS = 240;

/** Reduces a band to points for a chart: hours have more seconds than a screen has pixels. Keeps the extremes. */
export function thinOut({ mean, least, most }: Band): readonly Point[] {
  const size = Math.max(1, Math.ceil(mean.length / MOST_POINTS));
  const points: Point[] = [];
  for (let from = 0; from < mean.length; from += size) {
    const stretch = mean.slice(from, from + size);
    points.push({
      at: from + stretch.length / 2,
      mean: stretch.reduce((sum, value) => sum + value, 0) / stretch.length,
      least: Math.min(...least.slice(from, from + size)),
      most: Math.max(...most.slice(from, from + size)),
    });
  }
  return points;
}
