import type { Decision } from "../model/decision.ts";
import type { Failure } from "../model/failure.ts";
import { sayDuration } from "../model/say-duration.ts";
import { waitForEarliest } from "./go-elsewhere.ts";
import { findFree, findOpening, isMoveOpen, moveTo, opensInMs } from "./moves.ts";
import { nextDelay, ownWait } from "./next-delay.ts";
import { fitPatience, LAST_TRY } from "./patience.ts";
import type { PreparedRule } from "./prepare-policy.ts";
import { type Situation, stop } from "./situation.ts";
import { waitInLine } from "./wait-in-line.ts";

type RetryRule = Extract<PreparedRule, { action: "retry" }>;

/** For failures that pass: wait and try the same target again, or move on where the policy says that this is better. */
export function tryAgain(situation: Situation, rule: RetryRule): Decision {
  const { failure, standing } = situation;
  const { policy } = situation.policy;
  const { fallback } = policy;
  const index = rule.scheduleIndex;
  const capMs = rule.maxDelayMs ?? policy.maxDelayMs;
  const scheduledMs = nextDelay(situation, index);
  const free = isMoveOpen(situation, scheduledMs) ? findFree(situation, failure.scope) : undefined;
  const moveOr = (otherwise: Decision, because = "nothing more to hope for here; another target is free"): Decision =>
    free === undefined ? otherwise : moveTo(situation, free, index, because);

  if (rule.when === "retryable" && !failure.retryable) {
    if (failure.kind === "unknown") return stop("not-retryable", "nothing shows that trying again could help");
    // The classifier says that this very failure does not pass by waiting, though its kind usually does.
    return moveOr(stop("hopeless", `this ${failure.kind} does not pass by waiting (${failure.evidence})`));
  }
  if (policy.sameServerError !== null && standing.sameErrorRun >= policy.sameServerError) {
    return moveOr(stop("hopeless", `the same server error ${standing.sameErrorRun} times in a row`));
  }
  const { guessRetries } = policy;
  if (guessRetries !== null && failure.confidence === "guess" && standing.guesses > guessRetries) {
    return moveOr(
      stop("retries-exhausted", `that ${failure.kind} passes is a guess: no more than ${guessRetries} retries`),
    );
  }
  if (scheduledMs === undefined) {
    return moveOr(waitInLine(situation, index, capMs) ?? stop("retries-exhausted", "every retry is used up"));
  }
  if (fallback.when === "immediate" && free !== undefined) {
    return moveTo(situation, free, index, "another target is free, so no wait is needed");
  }

  const delayMs = rule.delay === "none" ? 0 : scheduledMs;
  const leastMs = ownWait(situation, 0);
  const waitMs = Math.max(delayMs, leastMs);
  const isOverCap = capMs !== null && waitMs > capMs;
  const isLong = fallback.when === "long-wait" && isLongHere(situation, waitMs);
  // With `immediate` a wait never lasts past the moment when another target is free again.
  const sooner = fallback.when === "immediate" ? findOpening(situation, failure.scope, waitMs) : undefined;
  const isOutrun = sooner !== undefined && sooner.inMs < waitMs;
  const fittedMs = fitPatience(situation, waitMs, leastMs);
  if (isOverCap || isLong || isOutrun || fittedMs === undefined) {
    const because = `the wait of ${sayDuration(waitMs)} is long and another target is free`;
    return moveOr(waitForEarliest(situation, index, delayMs, capMs), because);
  }
  return {
    type: "wait",
    delayMs: fittedMs,
    to: revertTarget(situation, fittedMs),
    schedule: index,
    because: fittedMs < waitMs ? LAST_TRY : whyWait(waitMs, delayMs, failure),
  };
}

/** Whether another target is better than this wait: it is long, or with the waits before it for the same model. */
function isLongHere({ policy, standing }: Situation, waitMs: number): boolean {
  const { longWaitMs, patienceMs } = policy.policy.fallback;
  return waitMs > longWaitMs || (patienceMs !== null && standing.waitedHereMs + waitMs > patienceMs);
}

function whyWait(waitMs: number, delayMs: number, failure: Failure): string {
  if (waitMs <= delayMs) return `${failure.kind} usually passes`;
  return waitMs === Math.ceil(failure.hintMs ?? 0)
    ? "the endpoint asked for this wait"
    : "the target is cut off until then";
}

/** An earlier model of the chain whose cooldown is over by the end of the wait comes back, if the policy lets it. */
function revertTarget(situation: Situation, waitMs: number): number {
  const { standing } = situation;
  const { entryOf } = situation.chain;
  const { fallback } = situation.policy.policy;
  if (fallback.when === "after-retries" || fallback.revert === "never") return standing.position;
  for (let to = 0; entryOf[to] !== entryOf[standing.position]; to++) {
    if (opensInMs(situation, to) <= waitMs) return to;
  }
  return standing.position;
}
