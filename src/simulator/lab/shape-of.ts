import type { Conditions } from "./conditions.ts";
import type { Scenario } from "./scenarios.ts";

const POINTS = 49;
/** How much of the time before and after is in the picture, as a share of the outage. */
const MARGIN = 0.3;

/** How well the provider works, 0 to 1, at equal steps from shortly before the outage until after it: for an icon. */
export function shapeOf(scenario: Scenario): readonly number[] {
  const { outageMs, settleMs, before, during, after } = scenario;
  const from = -MARGIN * outageMs;
  const to = outageMs + Math.max(MARGIN * outageMs, settleMs);
  return Array.from({ length: POINTS }, (_, n) => {
    const ms = from + ((to - from) * n) / (POINTS - 1);
    const conditions = ms < 0 ? before : ms < outageMs ? during(ms) : after(ms - outageMs);
    return Math.round(workingShare(conditions, scenario.load) * 100) / 100;
  });
}

function workingShare({ lost, rejected, slowness, capacity, quota }: Conditions, load: number): number {
  const accepted = quota === undefined ? 1 : Math.min(1, quota.share / Math.max(load, quota.share));
  // A slow answer is better than none: drawn to scale, it would look like an outage.
  return ((1 - lost) * (1 - rejected) * capacity * accepted) / Math.sqrt(slowness);
}
