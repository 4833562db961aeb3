import type { Decision } from "../model/decision.ts";
import type { Target } from "../model/target.ts";
import { findEarliest, findOpening, isHereRefused, moveTo, type Opening } from "./moves.ts";
import { type BlockedSituation, NO_SCHEDULE, stop } from "./situation.ts";

const ANOTHER_IS_FREE = "the target is cooling down and another one is free";
const NO_ROOM = "waiting for room to retry";

/**
 * What to do when the target may not be tried at all: its breaker is open, it is cooling down, or there is no room for a retry.
 * A free target is gone to at once; otherwise the generation waits for the earliest, if that is within the cap. Undefined: it may
 * be tried after all.
 */
export function decideBlocked(situation: BlockedSituation, forMs: number): Decision | undefined {
  const { policy, general } = situation.policy;
  if (isHereRefused(situation)) return leaveRefused(situation);
  // Whole milliseconds, as every wait that people see. Never less: it would be turned away again.
  const blockedMs = Math.ceil(forMs);
  const earliest = findEarliest(situation, "credential", blockedMs);
  const waitMs = earliest.inMs;
  if (waitMs === 0) return moveTo(situation, earliest.to, general, ANOTHER_IS_FREE);
  if (policy.maxDelayMs !== null && waitMs > policy.maxDelayMs) {
    return stop("delay-cap", `everything cools down for ${waitMs} ms, over the cap of ${policy.maxDelayMs} ms`);
  }
  const isForRoom = earliest.to === situation.standing.position && isHereFree(situation);
  if (isPatienceOver(situation, waitMs)) {
    if (isForRoom) return stop("retry-budget", "waited long enough for room in the retry budget, which other generations share");
    return stop("retries-exhausted", "waited long enough for a target to be free");
  }
  return waitFor(earliest, isForRoom ? NO_ROOM : undefined);
}

/** Neither a breaker nor a cooldown holds the target back: it is the budget that has no token. */
function isHereFree({ chain, standing, policy, health, nowMs }: BlockedSituation): boolean {
  return health.blockedForMs(chain.targets[standing.position] as Target, policy.policy.breaker, nowMs) === 0;
}

/**
 * No wait cures a refusal, so only the others are waited for. Where that is no help it is asked once more: a key or a model
 * may be accepted by now, and if not, these are the words that the caller needs.
 */
function leaveRefused(situation: BlockedSituation): Decision | undefined {
  const { policy, general } = situation.policy;
  const other = findOpening(situation, "credential", policy.maxDelayMs ?? Number.MAX_SAFE_INTEGER);
  if (other === undefined) return undefined;
  if (other.inMs === 0) return moveTo(situation, other.to, general, ANOTHER_IS_FREE);
  return isPatienceOver(situation, other.inMs) ? undefined : waitFor(other);
}

function waitFor({ to, inMs }: Opening, because = "everything cools down; this one is free first"): Decision {
  return {
    type: "wait",
    delayMs: inMs,
    to,
    schedule: NO_SCHEDULE,
    because,
  };
}

/**
 * A breaker that never closes can't hold a generation for ever, unless its policy would retry for ever, too. With a breaker
 * those who wait ask often, so it is time that counts; without one they wait as often as they would retry.
 */
function isPatienceOver(situation: BlockedSituation, waitMs: number): boolean {
  const { standing, policy: prepared } = situation;
  const { policy, schedules, general } = prepared;
  const mostWaits = schedules[general]?.maxRetries ?? null;
  if (mostWaits === null) return false;
  // Who wants no retry at all wants no wait either.
  if (policy.breaker === null || mostWaits === 0) return standing.blockedWaits >= mostWaits;
  const isTooLong = standing.blockedMs + waitMs > policy.breaker.patienceMs;
  return isTooLong && !isLimitWorthWaiting(situation, mostWaits);
}

/**
 * A burst of rate limits is a queue that drains: while the target answers, everyone's turn comes. The ramp lets calls through
 * whether or not there are answers, so only limits count that follow each other without any.
 */
function isLimitWorthWaiting({ chain, standing, policy, health, nowMs }: BlockedSituation, mostWaits: number): boolean {
  const limit = health.limitOf?.(chain.targets[standing.position] as Target, policy.policy.breaker, nowMs);
  return limit !== undefined && (limit.leftMs === 0 || standing.limitWaits < mostWaits);
}
