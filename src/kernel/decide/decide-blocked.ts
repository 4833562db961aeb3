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
  const { policy, schedules, general } = situation.policy;
  const other = findOpening(situation, "credential", blockedMs);
  if (other?.inMs === 0)
    return moveTo(situation, other.to, general, "the target is cooling down and another one is free");
  const isOther = other !== undefined && other.inMs < blockedMs;
  const waitMs = isOther ? other.inMs : blockedMs;
  if (policy.maxDelayMs !== null && waitMs > policy.maxDelayMs) {
    return stop("delay-cap", `everything cools down for ${waitMs} ms, over the cap of ${policy.maxDelayMs} ms`);
  }
  // As many waits as there are retries, so that a breaker that never closes can't hold anyone for ever.
  const mostWaits = schedules[general]?.maxRetries ?? Number.POSITIVE_INFINITY;
  if (standing.blockedWaits >= mostWaits)
    return stop("retries-exhausted", "waited often enough for a target to be free");
  return {
    type: "wait",
    delayMs: waitMs,
    to: isOther ? other.to : standing.position,
    schedule: NO_SCHEDULE,
    because: "everything cools down; this one is free first",
  };
}
