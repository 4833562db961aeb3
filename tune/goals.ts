import type { Figures } from "../src/simulator/lab/index.ts";

/** What a policy should keep low, over all cells. */
export interface Goals {
  /** Share of the generations that failed, on average over the cells. */
  readonly lost: number;
  /** How many times as long as with the best candidate of each cell people wait, on average (geometric). */
  readonly wait: number;
  /** How many times as many calls as with the best candidate of each cell are made, on average (geometric). */
  readonly load: number;
}

/** Added to both waits before they are compared: twice 0.01 s is not worse than 0.01 s. */
const TINY_SECONDS = 0.1;

/** The goals of every candidate. Each has one `Figures` per cell, in the same order. */
export function goalsOf(candidates: readonly (readonly Figures[])[]): readonly Goals[] {
  const cells = candidates[0]?.length ?? 0;
  const column = (at: number, of: (figures: Figures) => number): number[] =>
    candidates.flatMap((figures) => (figures[at] === undefined ? [] : [of(figures[at])]));
  const best = Array.from({ length: cells }, (_, at) => ({
    waited: Math.min(...column(at, ({ waited }) => waited)),
    amplification: Math.min(...column(at, ({ amplification }) => amplification)),
  }));
  return candidates.map((figures) => ({
    lost: mean(figures.map(({ failed }) => failed)),
    wait: geometric(
      figures.map(({ waited }, at) => (waited + TINY_SECONDS) / ((best[at]?.waited ?? 0) + TINY_SECONDS)),
    ),
    load: geometric(figures.map(({ amplification }, at) => amplification / (best[at]?.amplification || 1))),
  }));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function geometric(values: readonly number[]): number {
  return Math.exp(mean(values.map((value) => Math.log(value))));
}
