import { addCounts, quantileSeconds } from "./answer-times.ts";
import type { Measured } from "./measure.ts";

/** What a policy did to the provider and to its users. */
export interface Figures {
  /** Calls per generation, from the start of the outage to the end of the run. */
  readonly amplification: number;
  /** Calls in the busiest second after the outage, divided by the usual calls per second; null: means nothing in this run. */
  readonly peak: number | null;
  /** Seconds after the outage until the service is back to normal and stays there; Infinity: not within the run; null: means nothing. */
  readonly recoverySeconds: number | null;
  /** Share of the calls since the start of the outage whose answer came after the caller had given up. */
  readonly wasted: number;
  /** Share of the generations ended since the start of the outage that got no answer. */
  readonly failed: number;
  /** Seconds that a generation waited between calls, on average. */
  readonly waited: number;
  /** Answers during the outage as a share of what the provider could give; null: it could give nothing. */
  readonly served: number | null;
  /** Seconds within which 95 % of the generations got an answer; Infinity: fewer than that did. */
  readonly p95Seconds: number | null;
}

const PERCENTILE = 0.95;

/**
 * The figures of several runs together: counts are added up before they are divided, because in a small run the worst seed is mostly
 * chance. Peak and recovery are extremes by nature: of them the worst run counts. Undefined if there are no runs.
 */
export function figuresOf(runs: readonly Measured[]): Figures | undefined {
  if (runs.length === 0) return undefined;
  const sum = (key: Count): number => runs.reduce((total, run) => total + run[key], 0);
  return {
    amplification: ratio(sum("calls"), sum("offered")),
    peak: worst(runs.map(({ peak }) => peak)),
    recoverySeconds: worst(runs.map(({ recoverySeconds }) => recoverySeconds)),
    wasted: ratio(sum("wasted"), sum("calls")),
    failed: ratio(sum("failed"), sum("answered") + sum("failed")),
    waited: ratio(sum("waiting"), sum("offered")),
    // Answers to generations that waited since a worse second can make more than the usual rate.
    served: sum("couldGive") === 0 ? null : Math.min(1, sum("answeredInOutage") / sum("couldGive")),
    p95Seconds: quantileSeconds(addCounts(runs.map(({ answers }) => answers)), PERCENTILE),
  };
}

/** The worst of each figure over all runs. Undefined if there are no runs. */
export function worstOf(runs: readonly Measured[]): Figures | undefined {
  if (runs.length === 0) return undefined;
  const each = runs.flatMap((run) => figuresOf([run]) ?? []);
  const most = (key: keyof Figures): number => Math.max(...each.map((figures) => figures[key] ?? 0));
  const served = each.flatMap((figures) => figures.served ?? []);
  return {
    amplification: most("amplification"),
    peak: worst(each.map(({ peak }) => peak)),
    recoverySeconds: worst(each.map(({ recoverySeconds }) => recoverySeconds)),
    wasted: most("wasted"),
    failed: most("failed"),
    waited: most("waited"),
    served: served.length === 0 ? null : Math.min(...served),
    p95Seconds: worst(each.map(({ p95Seconds }) => p95Seconds)),
  };
}

type Count = { [Key in keyof Measured]: Measured[Key] extends number ? Key : never }[keyof Measured];

function worst(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
