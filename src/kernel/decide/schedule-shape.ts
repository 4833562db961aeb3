import type { ExponentialSpec, FibonacciSpec, ScheduleSpec } from "../model/schedule-spec.ts";
import { MAX_DELAY_MS } from "./schedule-check.ts";

/**
 * A schedule's delays before jitter, already capped. Every schedule climbs for a while and then stays level, so a short
 * table of the climb answers any retry number with one array read.
 */
export interface ScheduleShape {
  /** The delays of the first retries; never empty. The last one is repeated, unless the climb goes on in `slope`. */
  readonly rampMs: readonly number[];
  /** Set when a factor close to 1 needs more steps than the table holds; retries beyond it are computed. */
  readonly slope: { readonly baseMs: number; readonly factor: number } | null;
  /** No delay is longer. */
  readonly ceilingMs: number;
}

/** Doubling from 1 ms reaches the longest delay in 32 steps; 256 hold every factor from 1.09 up. */
const MOST_RAMP_STEPS = 256;

const DEFAULT_FACTOR = 2;
const DEFAULT_UNIT_MS = 1000;
/** E9: 1, 2, 3, 5, 5, 5 … */
const DEFAULT_FIBONACCI_CAP_UNITS = 5;

export function shapeOf(spec: ScheduleSpec): ScheduleShape {
  const ceilingMs = spec.capMs ?? MAX_DELAY_MS;
  switch (spec.type) {
    case "exponential":
      return exponential(spec, ceilingMs);
    case "fibonacci":
      return fibonacci(spec);
    case "stepped":
      return { rampMs: spec.stepsMs.map((ms) => Math.min(ms, ceilingMs)), slope: null, ceilingMs };
    case "fixed":
      return { rampMs: [Math.min(spec.delayMs, ceilingMs)], slope: null, ceilingMs };
    default:
      return spec satisfies never;
  }
}

/** The delay of a retry before jitter. `retry` is a whole number from 1. */
export function unjitteredMs({ rampMs, slope, ceilingMs }: ScheduleShape, retry: number): number {
  if (slope !== null && retry > rampMs.length) return exponentialMs(slope.baseMs, slope.factor, retry, ceilingMs);
  return rampMs[Math.min(retry, rampMs.length) - 1] as number;
}

function exponential(spec: ExponentialSpec, ceilingMs: number): ScheduleShape {
  const { baseMs, factor = DEFAULT_FACTOR } = spec;
  // Neither ever climbs; and 0 * Infinity would be NaN.
  if (baseMs === 0 || factor === 1) return { rampMs: [Math.min(baseMs, ceilingMs)], slope: null, ceilingMs };

  const rampMs: number[] = [];
  for (let retry = 1; retry <= MOST_RAMP_STEPS; retry++) {
    const delayMs = exponentialMs(baseMs, factor, retry, ceilingMs);
    rampMs.push(delayMs);
    if (delayMs === ceilingMs) return { rampMs, slope: null, ceilingMs };
  }
  return { rampMs, slope: { baseMs, factor }, ceilingMs };
}

/** Far out the power overflows to Infinity, which the ceiling turns into a delay again. */
function exponentialMs(baseMs: number, factor: number, retry: number, ceilingMs: number): number {
  return Math.min(baseMs * factor ** (retry - 1), ceilingMs);
}

function fibonacci(spec: FibonacciSpec): ScheduleShape {
  const { unitMs = DEFAULT_UNIT_MS, repeatFirst = false } = spec;
  const ceilingMs = Math.min(spec.capMs ?? DEFAULT_FIBONACCI_CAP_UNITS * unitMs, MAX_DELAY_MS);
  const rampMs = repeatFirst ? [Math.min(unitMs, ceilingMs)] : [];
  // In units of 1, so that the sums stay exact; grows by 1.6 a step, so it meets any ceiling soon.
  let [units, next] = [1, 2];
  while (unitMs > 0 && units * unitMs < ceilingMs) {
    rampMs.push(units * unitMs);
    [units, next] = [next, units + next];
  }
  rampMs.push(Math.min(units * unitMs, ceilingMs));
  return { rampMs, slope: null, ceilingMs };
}
