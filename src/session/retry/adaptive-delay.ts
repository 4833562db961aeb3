import { MAX_DELAY_MS, type PreparedPolicy, type Schedule, type ScheduleSpec } from "../../kernel/index.ts";
import type { Experience } from "../../store/store.ts";

/** What is known about retries in a situation: how many worked, how many did not. */
export type TrackRecord = Pick<Experience, "successes" | "failures">;

interface AdaptiveInput {
  readonly delayMs: number;
  /** The schedule's first delay: never shorter than that. */
  readonly baseMs: number;
  /** The longest wait that the policy allows. */
  readonly capMs: number;
  readonly record: TrackRecord | undefined;
}

/** As if so many retries had been seen already, half of them good: a few early ones do not swing the delay. */
const PRIOR = 10;

/**
 * C10: waits half as long where retries nearly always work, twice as long where they hardly ever do, and as scheduled where
 * nothing is known. Pure, and never outside the policy's bounds.
 */
export function adaptDelay({ delayMs, baseMs, capMs, record }: AdaptiveInput): number {
  return Math.max(Math.min(delayMs * adaptiveFactor(record), capMs), Math.min(baseMs, capMs));
}

/** What a scheduled delay is multiplied by: from 0.5 to 2. */
export function adaptiveFactor(record: TrackRecord | undefined): number {
  const { successes = 0, failures = 0 } = record ?? {};
  const rate = (successes + PRIOR / 2) / (successes + failures + PRIOR);
  return 2 ** (1 - 2 * rate);
}

/** A policy whose schedules give adapted delays. `recordNow` answers what is known about the failure at hand. */
export function adaptPolicy(prepared: PreparedPolicy, recordNow: () => TrackRecord | undefined): PreparedPolicy {
  const capMs = prepared.policy.maxDelayMs ?? MAX_DELAY_MS;
  const adapt = (schedule: Schedule): Schedule => {
    const baseMs = schedule.delayFor(1) ?? 0;
    const ownCapMs = Math.min(capMs, longestOf(schedule.spec));
    const delayFor = (...args: Parameters<Schedule["delayFor"]>): number | undefined => {
      const delayMs = schedule.delayFor(...args);
      // A wait that is over the cap anyway is for the policy to refuse, not for us to shorten.
      if (delayMs === undefined || delayMs > ownCapMs) return delayMs;
      return adaptDelay({ delayMs, baseMs, capMs: ownCapMs, record: recordNow() });
    };
    return { ...schedule, delayFor };
  };
  return { ...prepared, schedules: prepared.schedules.map(adapt) };
}

/** The longest delay that a schedule ever gives by itself: what it promises, adapting does not break. */
function longestOf(spec: ScheduleSpec): number {
  switch (spec.type) {
    case "exponential":
      return spec.capMs ?? MAX_DELAY_MS;
    case "fibonacci":
      return spec.capMs ?? 5 * (spec.unitMs ?? 1000);
    case "stepped":
      return Math.min(spec.capMs ?? MAX_DELAY_MS, Math.max(...spec.stepsMs));
    case "fixed":
      return Math.min(spec.capMs ?? MAX_DELAY_MS, spec.delayMs);
    default:
      return spec satisfies never;
  }
}
