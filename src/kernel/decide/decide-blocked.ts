import type { Decision } from "../model/decision.ts";
import { findOpening, moveTo } from "./moves.ts";
import { nextDelay } from "./next-delay.ts";
import { type BlockedSituation, stop } from "./situation.ts";

/** Blocked waits use up retries of the first schedule, so that a breaker that never closes can't hold anyone for ever. */
const GENERAL = 0;

/**
 * What to do when the target may not be tried at all: its breaker is open or it is cooling down. A free target is gone to
 * at once; otherwise the generation waits for the earliest, if that is within the cap.
 */
export function decideBlocked(situation: BlockedSituation, blockedMs: number): Decision {
  const { standing } = situation;
  const { policy } = situation.policy;
  const other = findOpening(situation, "credential", blockedMs);
  if (other?.inMs === 0)
    return moveTo(situation, other.to, GENERAL, "the target is cooling down and another one is free");
  const isOther = other !== undefined && other.inMs < blockedMs;
  const waitMs = isOther ? other.inMs : blockedMs;
  if (policy.maxDelayMs !== null && waitMs > policy.maxDelayMs) {
    return stop("delay-cap", `everything cools down for ${waitMs} ms, over the cap of ${policy.maxDelayMs} ms`);
  }
  if (nextDelay(situation, GENERAL) === undefined) return stop("retries-exhausted", "every retry is used up");
  return {
    type: "wait",
    delayMs: waitMs,
    to: isOther ? other.to : standing.position,
    schedule: GENERAL,
    because: "everything cools down; this one is free first",
  };
}
