import type { Decision } from "../model/decision.ts";
import type { Failure } from "../model/failure.ts";
import type { Target } from "../model/target.ts";
import { findEarliest, findOpening, isHereRefused, moveTo, type Opening } from "./moves.ts";
import { fitPatience, HELD_BACK_MS, stopImpatient } from "./patience.ts";
import { type BlockedSituation, NO_SCHEDULE, stop } from "./situation.ts";

const FREE_FIRST = "everything cools down; this one is free first";
const ROOM_TO_RETRY = "waiting for room to retry";
const ROOM_ELSEWHERE = "there is no room to retry here, and another target is free";
const NO_RETRY = "the policy allows no retry, so it does not wait for a target to be free";
const ANOTHER_IS_FREE = "the target is cooling down and another one is free";

/** The evidence of a retry for which there is no room in the budget that all generations share. */
const BY_BUDGET = "health:budget";
/** The evidence of a call that waits until others have ended. */
const BY_CROWD = "health:crowd";

export type HeldBackBy = Pick<Failure, "evidence">;

export function isNoRoom({ evidence }: HeldBackBy): boolean {
  return evidence === BY_BUDGET;
}

/**
 * What to do when the target may not be tried at all: its breaker is open, it is cooling down, or there is no room for a retry.
 * A free target is gone to at once; otherwise the generation waits for the earliest, if that is within the cap. Undefined: it may
 * be tried after all. `why`: what health holds the target back for.
 */
export function decideBlocked(situation: BlockedSituation, forMs: number, why: HeldBackBy): Decision | undefined {
  const { policy, schedules, general } = situation.policy;
  if (isHereRefused(situation)) return leaveRefused(situation, why);
  // Whole milliseconds, as every wait that people see. Never less: it would be turned away again.
  const blockedMs = Math.ceil(forMs);
  const isBudget = isNoRoom(why);
  const earliest = findEarliest(situation, isBudget ? "budget" : "credential", blockedMs);
  const waitMs = earliest.inMs;
  if (waitMs === 0) return moveTo(situation, earliest.to, general, isBudget ? ROOM_ELSEWHERE : ANOTHER_IS_FREE);
  const isForRoom = isBudget && earliest.to === situation.standing.position;
  if (policy.maxDelayMs !== null && waitMs > policy.maxDelayMs) {
    const over = `${waitMs} ms, over the cap of ${policy.maxDelayMs} ms`;
    if (isForRoom) return stop("retry-budget", `there is no room in the retry budget for another ${over}`);
    return stop("delay-cap", `everything cools down for ${over}`);
  }
  if (!isPatienceOver(situation, waitMs, why)) return waitFor(earliest, isForRoom ? ROOM_TO_RETRY : FREE_FIRST);
  if (isForRoom)
    return stop("retry-budget", "waited long enough for room in the retry budget, which other generations share");
  if (schedules[general]?.maxRetries === 0) return stop("retries-exhausted", NO_RETRY);
  if (policy.patienceMs !== null) return stopImpatient(situation, waitMs);
  return stop("retries-exhausted", "waited long enough for a target to be free");
}

/**
 * No wait cures a refusal, so only the others are waited for. Where that is no help it is asked once more: a key or a model
 * may be accepted by now, and if not, these are the words that the caller needs.
 */
function leaveRefused(situation: BlockedSituation, why: HeldBackBy): Decision | undefined {
  const { policy, general } = situation.policy;
  const other = findOpening(situation, "credential", policy.maxDelayMs ?? Number.MAX_SAFE_INTEGER);
  if (other === undefined) return undefined;
  if (other.inMs === 0) return moveTo(situation, other.to, general, ANOTHER_IS_FREE);
  return isPatienceOver(situation, other.inMs, why) ? undefined : waitFor(other, FREE_FIRST);
}

function waitFor({ to, inMs }: Opening, because: string): Decision {
  return { type: "wait", delayMs: inMs, to, schedule: NO_SCHEDULE, because };
}

/**
 * The policy's patience counts for every wait. Without one, a breaker that never closes can't hold a generation for ever, unless its
 * policy would retry for ever, too. Those who wait for a breaker or for room in the budget ask often, so it is time that counts; without
 * either they wait as often as they would retry. Such a wait is never shortened: health would not let the call through.
 */
function isPatienceOver(situation: BlockedSituation, waitMs: number, why: HeldBackBy): boolean {
  const { standing, policy: prepared } = situation;
  const { policy, schedules, general } = prepared;
  if (fitPatience(situation, waitMs, waitMs) === undefined) return true;
  const mostWaits = schedules[general]?.maxRetries ?? null;
  if (mostWaits === null) return false;
  // Who wants no retry at all wants no wait either.
  if (mostWaits === 0) return true;
  if (policy.patienceMs !== null) return false;
  if (policy.breaker === null && !isNoRoom(why)) return standing.blockedWaits >= mostWaits;
  const isTooLong = standing.blockedMs + waitMs > HELD_BACK_MS;
  return isTooLong && !(isHeldByLimit(why) && isLimitWorthWaiting(situation, mostWaits));
}

/** A limit that is over is still known while nothing is let through, but then room in the budget or in a crowd is waited for. */
function isHeldByLimit(why: HeldBackBy): boolean {
  return !isNoRoom(why) && why.evidence !== BY_CROWD;
}

/**
 * A burst of rate limits is a queue that drains: while the target answers, everyone's turn comes. The ramp lets calls through
 * whether or not there are answers, so only limits count that follow each other without any.
 */
function isLimitWorthWaiting({ chain, standing, policy, health, nowMs }: BlockedSituation, mostWaits: number): boolean {
  const limit = health.limitOf?.(chain.targets[standing.position] as Target, policy.policy.breaker, nowMs);
  return limit !== undefined && (limit.leftMs === 0 || standing.limitWaits < mostWaits);
}
