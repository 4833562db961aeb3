import { median } from "../measure.ts";

export interface Point {
  readonly minute: number;
  readonly value: number;
}

export interface Growth {
  readonly perMinute: number;
  /** Over the whole time of the points. */
  readonly inAll: number;
  readonly middle: number;
}

/** The median of the slopes between all pairs (Theil–Sen): a few samples in the middle of a burst do not bend it. */
export function growthOf(points: readonly Point[]): Growth {
  const slopes: number[] = [];
  for (const [at, from] of points.entries()) {
    for (const to of points.slice(at + 1)) slopes.push((to.value - from.value) / (to.minute - from.minute));
  }
  const perMinute = median(slopes);
  const minutes = (points.at(-1)?.minute ?? 0) - (points[0]?.minute ?? 0);
  return { perMinute, inAll: perMinute * minutes, middle: median(points.map(({ value }) => value)) };
}
