import { InvalidInput } from "../model/invalid-input.ts";
import type { Target } from "../model/target.ts";
import { isHereRefused } from "./moves.ts";
import type { Schedule } from "./schedule.ts";
import { MAX_DELAY_MS } from "./schedule-check.ts";
import type { BlockedSituation, Situation } from "./situation.ts";

/** The delay that the schedule gives for the next retry, or undefined when it has ended for this target. */
export function nextDelay(situation: BlockedSituation, schedule: number): number | undefined {
  const { standing, random } = situation;
  if (areTriesUsedUp(situation)) return undefined;
  const delayMs = (situation.policy.schedules[schedule] as Schedule).delayFor((standing.used[schedule] ?? 0) + 1, {
    random,
    // Nothing was drawn yet: decorrelated jitter then starts from the schedule's own first delay.
    previousMs: standing.previousMs > 0 ? standing.previousMs : undefined,
    waitedMs: standing.drawnMs[schedule] ?? 0,
  });
  return checkDelayFor("delayFor", delayMs);
}

/**
 * What a `delayFor` returned, which may be the caller's own: undefined and null mean stop. Anything else that is no delay throws,
 * because a timer takes null, NaN and negative numbers for no delay at all, and the schedule would be a busy loop.
 */
export function checkDelayFor(field: string, delayMs: unknown): number | undefined {
  if (delayMs === undefined || delayMs === null) return undefined;
  // Whole milliseconds: timers know no others, and listeners, receipts and countdowns print them. Up, never down to a busy loop.
  if (typeof delayMs === "number" && delayMs >= 0 && delayMs <= MAX_DELAY_MS) return Math.ceil(delayMs);
  const allowed = `a number of milliseconds from 0 to ${MAX_DELAY_MS}, or undefined or null to stop`;
  throw new InvalidInput(`the result of ${field}`, delayMs, allowed);
}

/** `after-retries` may give each fallback fewer tries than the first target has. */
function areTriesUsedUp({ policy, chain, standing }: BlockedSituation): boolean {
  const { when, triesPerFallback } = policy.policy.fallback;
  if (when !== "after-retries" || triesPerFallback === null) return false;
  const isFallback = chain.entryOf[standing.position] !== chain.entryOf[0];
  return isFallback && standing.triesHere >= triesPerFallback;
}

/**
 * How long the current target has to be waited for: the schedule, the endpoint's hint or what health knows, whichever is longest.
 * A target that failed in another way after an earlier refusal is not waited for because of that refusal.
 */
export function ownWait(situation: Situation, delayMs: number): number {
  const { failure, chain, standing, health, nowMs } = situation;
  const { honourHints, breaker } = situation.policy.policy;
  const hintMs = honourHints ? (failure.hintMs ?? 0) : 0;
  const here = chain.targets[standing.position] as Target;
  const blockedMs = isHereRefused(situation) ? 0 : health.blockedForMs(here, breaker, nowMs);
  return Math.ceil(Math.max(delayMs, hintMs, blockedMs));
}
