/**
 * Seeds for choosing the figures of a policy and seeds for judging them. They are apart, so that no figure is fitted to the runs that
 * judge it.
 */
export const TUNING_SEEDS = { first: 1, most: 1000 } as const;
export const JUDGING_SEEDS = { first: 5001, most: 20 } as const;

export interface SeedRange {
  readonly first: number;
  readonly most: number;
}

export function areApart(one: SeedRange, two: SeedRange): boolean {
  return one.first + one.most <= two.first || two.first + two.most <= one.first;
}

/** The first `count` seeds of a range. Throws if it has fewer. */
export function takeSeeds({ first, most }: SeedRange, count: number): readonly number[] {
  if (count > most) throw new RangeError(`seeds must be at most ${most}; got ${count}`);
  return Array.from({ length: count }, (_, n) => first + n);
}
