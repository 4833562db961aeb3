import type { Figures, Survey } from "../../simulator/lab/index.ts";

/** The figures of one policy, rounded; for several policies a list, each with its name. */
export function figuresJson({ policies }: Survey): string {
  const rows = policies.map(({ name, figures, worst }) => ({
    policy: name,
    ...(figures !== undefined && promised(figures)),
    ...(worst !== undefined && { worst: promised(worst) }),
  }));
  const [first] = rows;
  if (rows.length > 1 || first === undefined) return JSON.stringify(rows);
  const { policy: _, ...figures } = first;
  return JSON.stringify(figures);
}

function promised(figures: Figures): object {
  return {
    amplification: round(figures.amplification),
    peak: round(figures.peak),
    recoverySeconds: round(figures.recoverySeconds),
    wasted: round(figures.wasted),
    failed: round(figures.failed),
    waitedSeconds: round(figures.waited),
    served: round(figures.served),
    p95Seconds: round(figures.p95Seconds),
  };
}

/** What did not happen within the run is null, as is what means nothing. */
function round(value: number | null): number | null {
  return value === null || !Number.isFinite(value) ? null : Math.round(value * 10_000) / 10_000;
}
