import { definePolicy } from "../../../kernel/index.ts";
import type { Entrant } from "../entrant.ts";
import { MOST_WAIT_MS } from "./denied.ts";
import { RateBreaker } from "./rate-breaker.ts";
import { RetryQuota } from "./retry-quota.ts";

/** What others do, with their usual settings, on this engine: its time limit and its classifier. The packages themselves are not used. */
export const PEERS: Readonly<Record<string, () => Entrant>> = {
  /** p-retry with `retries: 10` and nothing else: 1 s, 2 s, 4 s … without a cap, without jitter. */
  "p-retry": () => ({
    policy: definePolicy({
      name: "p-retry",
      schedules: { general: { type: "exponential", baseMs: 1000, factor: 2, jitter: "none", atMost: 10 } },
      honourHints: false,
    }),
  }),
  /** cockatiel with `ExponentialBackoff()` and `maxAttempts: 3`: from 128 ms, decorrelated jitter, at most 30 s. */
  cockatiel: () => ({
    policy: definePolicy({
      name: "cockatiel",
      schedules: {
        general: { type: "exponential", baseMs: 128, factor: 2, capMs: 30_000, jitter: "decorrelated", atMost: 3 },
      },
      honourHints: false,
    }),
  }),
  /** The AWS SDK for JavaScript v3 in its standard mode: three attempts, full jitter from 100 ms, at most 20 s, and a retry quota. */
  "aws-standard": () => ({
    policy: definePolicy({
      name: "aws-standard",
      schedules: {
        general: { type: "exponential", baseMs: 100, factor: 2, capMs: 20_000, jitter: "full", atMost: 2 },
      },
      maxDelayMs: MOST_WAIT_MS,
    }),
    newHealth: () => new RetryQuota(),
  }),
  /** resilience4j's Retry (three attempts, 500 ms) around its CircuitBreaker, both with their defaults. */
  resilience4j: () => ({
    policy: definePolicy({
      name: "resilience4j",
      schedules: { general: { type: "fixed", delayMs: 500, atMost: 2 } },
      honourHints: false,
      maxDelayMs: MOST_WAIT_MS,
    }),
    newHealth: () => new RateBreaker(),
  }),
};
