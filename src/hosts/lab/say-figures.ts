import type { Figures } from "../../simulator/lab/index.ts";

/** A figure as people read it. */
export interface SaidFigure {
  readonly key: keyof Figures;
  readonly label: string;
  readonly say: (figures: Figures) => string;
}

export const SAID_FIGURES: readonly SaidFigure[] = [
  { key: "amplification", label: "amplification", say: ({ amplification }) => `${amplification.toFixed(2)}×` },
  { key: "peak", label: "peak", say: ({ peak }) => `${peak.toFixed(1)}×` },
  {
    key: "recoverySeconds",
    label: "recovery",
    say: ({ recoverySeconds }) => (recoverySeconds === null ? "never" : `${recoverySeconds} s`),
  },
  { key: "wasted", label: "wasted", say: ({ wasted }) => percent(wasted) },
  { key: "failed", label: "failed", say: ({ failed }) => percent(failed) },
  { key: "waited", label: "mean wait", say: ({ waited }) => `${waited.toFixed(1)} s` },
];

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** How bad a figure is, for comparing: never to recover is worst. */
export function badness(figures: Figures, key: keyof Figures): number {
  return figures[key] ?? Number.POSITIVE_INFINITY;
}
