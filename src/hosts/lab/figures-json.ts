import type { Figures, Survey } from "../../simulator/lab/index.ts";

/** The four documented figures of one policy, rounded; for several policies a list, each with its name. */
export function figuresJson({ policies }: Survey): string {
  const rows = policies.map(({ name, worst }) => ({ policy: name, ...(worst !== undefined && promised(worst)) }));
  const [first] = rows;
  if (rows.length > 1 || first === undefined) return JSON.stringify(rows);
  const { policy: _, ...figures } = first;
  return JSON.stringify(figures);
}

function promised({ amplification, peak, recoverySeconds, wasted }: Figures): object {
  return { amplification: round(amplification), peak: round(peak), recoverySeconds, wasted: round(wasted) };
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
