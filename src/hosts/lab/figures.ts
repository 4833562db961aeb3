import type { Figures } from "../../simulator/lab/index.ts";

/** A figure as people read it. */
interface Figure {
  readonly key: keyof Figures;
  readonly label: string;
  readonly meaning: string;
  readonly format: (value: number) => string;
}

const times = (digits: number) => (value: number) => `${value.toFixed(digits)}×`;
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

export const FIGURES: readonly Figure[] = [
  {
    key: "amplification",
    label: "amplification",
    meaning: "Calls made per generation, from the start of the outage to the end of the run.",
    format: times(2),
  },
  {
    key: "peak",
    label: "peak",
    meaning:
      "Calls in the busiest second after the outage, divided by the calls per second before it; in burst-429, by the calls per second that are accepted.",
    format: times(1),
  },
  {
    key: "recoverySeconds",
    label: "recovery",
    meaning:
      "Seconds after the outage until, over every 5 s, at least 80 % of the usual answers come, at most 5 % of the calls fail and calls take at most half as long again; never: not within the run.",
    format: (seconds) => `${seconds} s`,
  },
  {
    key: "wasted",
    label: "wasted",
    meaning: "Share of the calls since the start of the outage whose answer came after the caller had given up.",
    format: percent,
  },
  {
    key: "failed",
    label: "failed",
    meaning: "Share of the generations that ended without an answer.",
    format: percent,
  },
  {
    key: "waited",
    label: "mean wait",
    meaning: "Average time that a generation spent between calls.",
    format: (seconds) => `${seconds.toFixed(1)} s`,
  },
];

/** One figure as text; "–" before the first run, "never" for a recovery that did not happen. */
export function formatFigure({ key, format }: Figure, figures: Figures | undefined): string {
  if (figures === undefined) return "–";
  const value = figures[key];
  return value === null ? "never" : format(value);
}
