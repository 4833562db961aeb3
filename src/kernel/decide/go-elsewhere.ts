import { isOpenEnded } from "../health/refusal.ts";
import type { Decision } from "../model/decision.ts";
import type { GivenUp } from "../model/failure.ts";
import { findEarliest, findFree, findOpening, isMoveOpen, moveTo } from "./moves.ts";
import { nextDelay, ownWait } from "./next-delay.ts";
import { fitPatience, LAST_TRY, stopImpatient } from "./patience.ts";
import type { PreparedRule } from "./prepare-policy.ts";
import { type Situation, stop } from "./situation.ts";

type ElsewhereRule = Extract<PreparedRule, { action: "elsewhere" }>;

/** For failures that only another credential or model can cure: go there at once, else wait for the earliest, else stop. */
export function goElsewhere(situation: Situation, rule: ElsewhereRule): Decision {
  const { failure } = situation;
  const delayMs = nextDelay(situation, rule.scheduleIndex);
  if (!isMoveOpen(situation, delayMs)) return stop("retries-exhausted", "every retry is used up");
  const free = findFree(situation, failure.scope);
  if (free !== undefined) {
    const because = `only another ${cureOf(failure.scope)} can cure ${failure.kind}`;
    return moveTo(situation, free, rule.scheduleIndex, because);
  }
  // Our own cooldown for a quota without a known end is a guess, and a wait for a guess is pointless.
  const isStop = rule.otherwise === "stop" || (rule.otherwise === "wait" && isOpenEnded(failure));
  if (isStop) {
    const otherwise = stop("not-retryable", `nothing else to go to, and waiting does not cure ${failure.kind}`);
    return waitForAnother(situation, rule.scheduleIndex, delayMs, otherwise);
  }
  if (delayMs === undefined) return stop("retries-exhausted", "every retry is used up");
  return waitForEarliest(situation, rule.scheduleIndex, delayMs);
}

/**
 * A layer below has retried this and given up, so another wait here would only multiply the calls. It knew nothing of the other
 * targets of this chain, though.
 */
export function leaveGivenUp(
  situation: Situation,
  { scheduleIndex }: { scheduleIndex: number },
  below: GivenUp,
): Decision {
  const delayMs = nextDelay(situation, scheduleIndex);
  const isOpen = isMoveOpen(situation, delayMs);
  const free = isOpen ? findFree(situation, situation.failure.scope) : undefined;
  const calls = below.calls === 1 ? "1 call" : `${below.calls} calls`;
  const because = `the layer below has given up after ${calls}`;
  if (free !== undefined) return moveTo(situation, free, scheduleIndex, because);
  return waitForAnother(situation, scheduleIndex, isOpen ? delayMs : undefined, stop("given-up-below", because));
}

/** Waiting does not help here, but another target may be free soon. */
function waitForAnother(
  situation: Situation,
  schedule: number,
  delayMs: number | undefined,
  otherwise: Decision,
): Decision {
  const { failure } = situation;
  const capMs = situation.policy.policy.maxDelayMs ?? Number.MAX_SAFE_INTEGER;
  const other = delayMs === undefined ? undefined : findOpening(situation, failure.scope, capMs);
  if (other === undefined) return otherwise;
  if (fitPatience(situation, other.inMs, other.inMs) === undefined) return stopImpatient(situation, other.inMs);
  return { type: "wait", delayMs: other.inMs, to: other.to, schedule, because: "another target is free then" };
}

/** Everything cools down: wait for whatever is free first, this target or another, if that is within the cap. */
export function waitForEarliest(
  situation: Situation,
  schedule: number,
  delayMs: number,
  capMs: number | null = situation.policy.policy.maxDelayMs,
): Decision {
  const leastMs = ownWait(situation, 0);
  const ownMs = Math.max(delayMs, leastMs);
  const { to, inMs: waitMs } = findEarliest(situation, situation.failure.scope, ownMs);
  if (capMs !== null && waitMs > capMs) {
    return stop("delay-cap", `the wait of ${waitMs} ms is over the cap of ${capMs} ms and nothing can be switched to`);
  }
  const isHere = to === situation.standing.position;
  const fittedMs = fitPatience(situation, waitMs, isHere ? leastMs : waitMs);
  if (fittedMs === undefined) return stopImpatient(situation, waitMs);
  return {
    type: "wait",
    delayMs: fittedMs,
    to,
    schedule,
    because:
      isHere && fittedMs < waitMs
        ? LAST_TRY
        : isHere
          ? `waiting as ${ownMs > delayMs ? "asked" : "scheduled"}`
          : "everything cools down; this one is free first",
  };
}

function cureOf(scope: Situation["failure"]["scope"]): string {
  return scope === "credential" ? "credential or model" : "model";
}
