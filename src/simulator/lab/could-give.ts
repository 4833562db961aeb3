import type { Conditions } from "./conditions.ts";
import { callsPerSecond, type ProviderSize, slotsOf } from "./provider-model.ts";
import type { Scenario } from "./scenarios.ts";

/**
 * The answers that the providers of a scenario could give during an outage to clients that ask `steadyPerSecond` times a second; each
 * second is judged by the conditions in its middle.
 */
export function couldGive(scenario: Scenario, size: ProviderSize, outageMs: number, steadyPerSecond: number): number {
  // The second provider is as large as the first one, and nothing is wrong with it.
  if (scenario.hasFallback) return (steadyPerSecond * outageMs) / 1000;
  let answers = 0;
  for (let ms = 0; ms < outageMs; ms += 1000) {
    answers += perSecond(scenario.during(ms + 500), size, steadyPerSecond) * Math.min(1, (outageMs - ms) / 1000);
  }
  return answers;
}

/** A call that is rejected at random can be sent again at once, so that takes nothing away. A lost one is noticed only at its time limit. */
function perSecond(conditions: Conditions, size: ProviderSize, steadyPerSecond: number): number {
  const { rejected, lost, slowness, capacity, quota } = conditions;
  if (rejected >= 1) return 0;
  return Math.min(
    (1 - lost) * steadyPerSecond,
    (slotsOf(size, capacity) * 1000) / (size.serviceMs * slowness),
    quota === undefined ? Number.POSITIVE_INFINITY : callsPerSecond(quota, size),
  );
}
