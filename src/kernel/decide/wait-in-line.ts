import { spendsRetry } from "../health/retry-budget.ts";
import type { Decision } from "../model/decision.ts";
import type { Target } from "../model/target.ts";
import { ownWait } from "./next-delay.ts";
import { fitPatience, HELD_BACK_MS } from "./patience.ts";
import { NO_SCHEDULE, type Situation } from "./situation.ts";

/** The least wait: with hints of a few milliseconds, the patience would be hundreds of calls per second. */
const LEAST_MS = 1000;

/**
 * Every retry is used up, but the limit has a known end and the target answers others: a place in a queue that drains, so the
 * generation keeps it. Bounded by the patience, because a large request may never fit next to small ones. Undefined: no such case.
 */
export function waitInLine(situation: Situation, schedule: number, capMs: number | null): Decision | undefined {
  const { chain, standing, failure, health, nowMs } = situation;
  const { policy } = situation.policy;
  const { breaker } = policy;
  if (breaker === null || failure.kind !== "rate_limit" || spendsRetry(failure, policy)) return undefined;
  // Without any retry no wait is wanted either.
  if ((standing.used[schedule] ?? 0) === 0) return undefined;
  const patienceMs = policy.patienceMs ?? HELD_BACK_MS;
  const answeredMs = health.limitOf?.(chain.targets[standing.position] as Target, breaker, nowMs)?.answeredMs;
  if (answeredMs === undefined || nowMs - answeredMs > patienceMs) return undefined;
  const delayMs = ownWait(situation, LEAST_MS);
  if (capMs !== null && delayMs > capMs) return undefined;
  if (standing.inLineMs + delayMs > patienceMs || fitPatience(situation, delayMs, delayMs) === undefined)
    return undefined;
  const because = "the limit has a known end, and the target answers others";
  return { type: "wait", delayMs, to: standing.position, schedule: NO_SCHEDULE, because };
}
