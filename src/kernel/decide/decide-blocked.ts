import type { Decision } from "../model/decision.ts";
import { findOpening, moveTo } from "./moves.ts";
import { type BlockedSituation, stop } from "./situation.ts";

/** A wait that belongs to no schedule: it uses up no retry, because no call was made. */
export const NO_SCHEDULE = -1;

/**
 * What to do when the target may not be tried at all: its breaker is open or it is cooling down. A free target is gone to
 * at once; otherwise the generation waits for the earliest, if that is within the cap.
 */
export function decideBlocked(situation: BlockedSituation, blockedMs: number): Decision {
  const { standing } = situation;
  const { policy, general } = situation.policy;
  const other = findOpening(situation, "credential", blockedMs);
  if (other?.inMs === 0)
    return moveTo(situation, other.to, general, "the target is cooling down and another one is free");
  const isOther = other !== undefined && other.inMs < blockedMs;
  const waitMs = isOther ? other.inMs : blockedMs;
  if (policy.maxDelayMs !== null && waitMs > policy.maxDelayMs) {
    return stop("delay-cap", `everything cools down for ${waitMs} ms, over the cap of ${policy.maxDelayMs} ms`);
  }
  if (isPatienceOver(situation, waitMs)) return stop("retries-exhausted", "waited long enough for a target to be free");
  return {
    type: "wait",
    delayMs: waitMs,
    to: isOther ? other.to : standing.position,
    schedule: NO_SCHEDULE,
    because: "everything cools down; this one is free first",
  };
}

/**
 * A breaker that never closes can't hold anyone for ever, unless their policy would retry for ever, too. With a breaker
 * those who wait ask often, so it is time that counts; without one they wait as often as they would retry.
 */
function isPatienceOver(
  { policy: { policy, schedules, general }, standing }: BlockedSituation,
  waitMs: number,
): boolean {
  const mostWaits = schedules[general]?.maxRetries ?? null;
  if (mostWaits === null) return false;
  // Who wants no retry at all wants no wait either.
  if (policy.breaker === null || mostWaits === 0) return standing.blockedWaits >= mostWaits;
  return standing.blockedMs + waitMs > policy.breaker.patienceMs;
}
