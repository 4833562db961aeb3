import type { Figures } from "./measure.ts";

/** The worst of each figure, each from whichever seed had it. Never to recover is worse than any time. Undefined: of none. */
export function worstOf(all: readonly Figures[]): Figures | undefined {
  if (all.length === 0) return undefined;
  const most = (pick: (figures: Figures) => number): number => Math.max(...all.map(pick));
  const recoveries = all.map(({ recoverySeconds }) => recoverySeconds ?? Number.POSITIVE_INFINITY);
  const slowest = Math.max(...recoveries);
  return {
    amplification: most((figures) => figures.amplification),
    peak: most((figures) => figures.peak),
    recoverySeconds: Number.isFinite(slowest) ? slowest : null,
    wasted: most((figures) => figures.wasted),
    failed: most((figures) => figures.failed),
    waited: most((figures) => figures.waited),
  };
}
