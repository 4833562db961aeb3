import { definePolicy, type Policy } from "../kernel/index.ts";

/**
 * Background work: embeddings, indexes. Exponential waits up to two minutes with full jitter, so that it stays out of the
 * way of those who do wait; hints are honoured up to ten minutes. Half an hour of patience, for an outage of twenty minutes and the
 * longest wait after it. A call that takes longer than two minutes is hung.
 */
const BACKGROUND_POLICY: Policy = definePolicy({
  name: "background",
  schedules: { general: { type: "exponential", baseMs: 2000, factor: 2, capMs: 120_000, jitter: "full" } },
  rules: { usage_limit: { action: "elsewhere", otherwise: "wait" } },
  maxDelayMs: 600_000,
  patienceMs: 1_800_000,
  fallback: { when: "long-wait", longWaitMs: 30_000 },
  watchdog: { firstContentMs: 120_000, idleMs: null },
  sameServerError: 3,
  breaker: { failures: 5, cooldownMs: 30_000, maxCooldownMs: 120_000 },
  budget: { capacity: 100, refillPerSuccess: 0.1 },
});

export function backgroundPolicy(): Policy {
  return BACKGROUND_POLICY;
}
