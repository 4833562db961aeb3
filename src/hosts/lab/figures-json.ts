import type { Figures, Survey } from "../../simulator/lab/index.ts";

/** The four promised figures of one policy; of several as a list, each with its name. Rounded: more digits mean nothing. */
export function figuresJson({ policies }: Survey): string {
  const said = policies.map(({ name, worst }) => ({ policy: name, ...(worst !== undefined && promised(worst)) }));
  const [first] = said;
  if (said.length > 1 || first === undefined) return JSON.stringify(said);
  const { policy: _, ...figures } = first;
  return JSON.stringify(figures);
}

function promised({ amplification, peak, recoverySeconds, wasted }: Figures): object {
  return { amplification: round(amplification), peak: round(peak), recoverySeconds, wasted: round(wasted) };
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
