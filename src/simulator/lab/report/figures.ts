import type { Figures } from "../figures-of.ts";

/** A figure as people read it. */
export interface Figure {
  readonly key: keyof Figures;
  readonly label: string;
  /** For a table that would not fit the window otherwise. */
  readonly short: string;
  readonly meaning: string;
  /** `times` is a ratio, `share` goes from 0 to 1. */
  readonly unit: "times" | "seconds" | "share";
  readonly better: "low" | "high";
  readonly format: (value: number) => string;
}

const times = (digits: number) => (value: number) => `${value.toFixed(digits)}×`;
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

export const FIGURES: readonly Figure[] = [
  {
    key: "amplification",
    label: "amplification",
    unit: "times",
    better: "low",
    short: "amplif.",
    meaning: "Calls made per generation, from the start of the outage to the end of the run.",
    format: times(2),
  },
  {
    key: "peak",
    label: "peak",
    unit: "times",
    better: "low",
    short: "peak",
    meaning:
      "Calls in the busiest second after the outage, divided by the calls per second before it; in burst-429, by the calls per second that are accepted; in thundering-start, by those of the usual load.",
    format: times(1),
  },
  {
    key: "recoverySeconds",
    label: "recovery",
    unit: "seconds",
    better: "low",
    short: "recov.",
    meaning:
      "Seconds after the outage (in slow-start: after the minute that the provider needs) until, over every 5 s, at least 80 % of the usual answers come, at most 5 % of the calls fail and calls take at most half as long again; never: not within the run.",
    format: (seconds) => `${seconds} s`,
  },
  {
    key: "wasted",
    label: "wasted",
    unit: "share",
    better: "low",
    short: "wasted",
    meaning: "Share of the calls since the start of the outage whose answer came after the caller had given up.",
    format: percent,
  },
  {
    key: "failed",
    label: "failed",
    unit: "share",
    better: "low",
    short: "failed",
    meaning: "Share of the generations that ended without an answer.",
    format: percent,
  },
  {
    key: "waited",
    label: "mean wait",
    unit: "seconds",
    better: "low",
    short: "wait",
    meaning: "Average time that a generation spent between calls.",
    format: (seconds) => `${seconds.toFixed(1)} s`,
  },
  {
    key: "served",
    label: "served",
    unit: "share",
    better: "high",
    short: "served",
    meaning:
      "Answers delivered during the outage, as a share of what the provider could give: the usual rate, as far as its slots, its speed, its quota and lost calls allow.",
    format: (share) => `${Math.round(share * 100)} %`,
  },
  {
    key: "p95Seconds",
    label: "p95",
    unit: "seconds",
    better: "low",
    short: "p95",
    meaning:
      "95 % of the generations started since the start of the outage had their answer within this time; never: fewer than that got one within the run.",
    format: (seconds) => `${seconds.toFixed(1)} s`,
  },
];

/** One figure as text; "–" where it means nothing, "never" for what did not happen within the run. */
export function formatFigure({ key, format }: Figure, figures: Figures | undefined): string {
  const value = figures?.[key] ?? null;
  if (value === null) return "–";
  return Number.isFinite(value) ? format(value) : "never";
}
