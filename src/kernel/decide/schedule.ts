import { InvalidInput } from "../model/invalid-input.ts";
import type { ScheduleSpec, SteppedSpec } from "../model/schedule-spec.ts";
import { checkSchedule } from "./schedule-check.ts";
import { countWithinBudget } from "./schedule-count.ts";
import { spread } from "./schedule-jitter.ts";
import { shapeOf, unjitteredMs } from "./schedule-shape.ts";

/** What a delay may depend on, apart from its number. */
export interface ScheduleDraw {
  /** In [0, 1). Called once per delay, and only if the schedule has jitter. */
  readonly random: () => number;
  /** The delay that this schedule gave before this one: for decorrelated jitter. */
  readonly previousMs?: number | undefined;
  /** The sum of the delays that this schedule has really given so far: for the budget. */
  readonly waitedMs?: number;
}

export interface Schedule {
  readonly spec: ScheduleSpec;
  /** The delay before retry n = 1, 2, …; undefined means stop. Without `draw` the delay is not jittered. */
  delayFor(retry: number, draw?: ScheduleDraw): number | undefined;
  /** How many retries it allows, or null when unlimited. With a budget and jitter: as many as without the jitter. */
  readonly maxRetries: number | null;
}

/** E10. Every second of the first minute is dear, later the endpoint is left in peace: 21 retries in 27,105 s. */
export const STEPPED_PATIENT: SteppedSpec = Object.freeze({
  type: "stepped",
  stepsMs: Object.freeze([5_000, 10_000, 30_000, 60_000, 300_000, 600_000, 900_000, 1_800_000]),
  budgetMs: 8 * 60 * 60 * 1000,
});

/**
 * Makes a spec ready for use; throws `InvalidInput`, prefixed with `field`, if it is invalid.
 *
 * The parts apply in this order: shape → cap → jitter → budget and at most n. So the jitter spreads the capped delay, and
 * the budget counts what was really drawn.
 */
export function schedule(spec: ScheduleSpec, field = "schedule"): Schedule {
  checkSchedule(spec, field);
  const shape = shapeOf(spec);
  const { jitter = "none", budgetMs = Number.POSITIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = spec;
  const baseMs = unjitteredMs(shape, 1);
  const { ceilingMs } = shape;
  const byBudget = spec.budgetMs === undefined ? Number.POSITIVE_INFINITY : countWithinBudget(shape, budgetMs);
  const most = Math.min(atMost, byBudget);

  function delayFor(retry: number, draw?: ScheduleDraw): number | undefined {
    if (!Number.isInteger(retry) || retry < 1) throw new InvalidInput("retry", retry, "a whole number, 1 or more");
    const waitedMs = draw?.waitedMs;
    if (retry > (waitedMs === undefined ? most : atMost)) return undefined;

    let delayMs = unjitteredMs(shape, retry);
    if (draw !== undefined && jitter !== "none") {
      if (typeof draw.random !== "function") throw new InvalidInput("draw.random", draw.random, "a function");
      const { previousMs } = draw;
      delayMs = spread({ jitter, delayMs, baseMs, previousMs, ceilingMs, random: draw.random() });
    }
    // Turned round so that a NaN from outside ends the schedule instead of making it endless.
    if (waitedMs !== undefined && !(waitedMs + delayMs <= budgetMs)) return undefined;
    return delayMs;
  }

  return { spec, delayFor, maxRetries: most === Number.POSITIVE_INFINITY ? null : most };
}
