import type { Decision } from "../model/decision.ts";
import { sayDuration } from "../model/say-duration.ts";
import { type BlockedSituation, stop } from "./situation.ts";

/** What is left of the patience is worth a last try if it is this long, or half of the wait that was due. */
const WORTH_WAITING_MS = 1000;

/** How long a generation is held back in all where its retries are counted and its policy has no limit in time. */
export const HELD_BACK_MS = 120_000;

/** Why a wait is shorter than its schedule asks. */
export const LAST_TRY = "the last try, as late as the policy's patience allows";

/**
 * As much of a wait as the patience allows: all of it, or what is left, so that the last try comes when the patience ends rather
 * than never. Undefined: a try at that time would be pointless, because the target is out for at least `leastMs` or next to
 * nothing is left.
 */
export function fitPatience(situation: BlockedSituation, waitMs: number, leastMs: number): number | undefined {
  const { patienceMs } = situation.policy.policy;
  if (patienceMs === null) return waitMs;
  const leftMs = patienceMs - situation.standing.patienceUsedMs;
  // A retry without a delay ends here too: with no patience left, or none at all, every target has had its last try.
  if (leftMs <= 0) return undefined;
  if (waitMs <= leftMs) return waitMs;
  return leftMs >= Math.max(leastMs, Math.min(WORTH_WAITING_MS, waitMs / 2)) ? leftMs : undefined;
}

/** The end of a generation for which a wait of `waitMs` does not fit. */
export function stopImpatient(situation: BlockedSituation, waitMs: number): Decision {
  const { standing, policy } = situation;
  const { patienceMs } = policy.policy;
  if (patienceMs === 0) return stop("patience", "the policy allows no wait");
  const waited = `waited ${sayDuration(standing.patienceUsedMs)} in all`;
  if (standing.patienceUsedMs >= (patienceMs ?? 0)) return stop("patience", `${waited}, as long as the policy allows`);
  const allowed = sayDuration(patienceMs ?? 0);
  return stop("patience", `${waited}; another ${sayDuration(waitMs)} is over the ${allowed} that the policy allows`);
}
