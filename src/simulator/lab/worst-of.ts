import type { Figures } from "./measure.ts";

/** The worst of each figure over all runs; never recovering is worse than any time. Undefined if there are no runs. */
export function worstOf(runs: readonly Figures[]): Figures | undefined {
  if (runs.length === 0) return undefined;
  const worst = (key: keyof Figures): number =>
    Math.max(...runs.map((figures) => figures[key] ?? Number.POSITIVE_INFINITY));
  const recovery = worst("recoverySeconds");
  return {
    amplification: worst("amplification"),
    peak: worst("peak"),
    recoverySeconds: Number.isFinite(recovery) ? recovery : null,
    wasted: worst("wasted"),
    failed: worst("failed"),
    waited: worst("waited"),
  };
}
