import type { Decision } from "../model/decision.ts";
import { waitForEarliest } from "./go-elsewhere.ts";
import { findFree, moveTo, opensInMs } from "./moves.ts";
import { nextDelay } from "./next-delay.ts";
import type { PreparedRule } from "./prepare-policy.ts";
import { type Situation, stop } from "./situation.ts";

type RetryRule = Extract<PreparedRule, { action: "retry" }>;

/** For failures that pass: wait and try the same target again, or move on where the policy says that this is better. */
export function tryAgain(situation: Situation, rule: RetryRule): Decision {
  const { failure, chain, standing, health } = situation;
  const { policy } = situation.policy;
  const { fallback } = policy;
  const index = rule.scheduleIndex;
  if (rule.when === "retryable" && !failure.retryable) return giveUpHere(situation, index);
  if (policy.sameServerError !== null && standing.sameErrorRun >= policy.sameServerError) {
    return moveOr(situation, index, () =>
      stop("hopeless", `the same server error ${standing.sameErrorRun} times in a row`),
    );
  }
  const scheduledMs = nextDelay(situation, index);
  if (scheduledMs === undefined) {
    if (fallback.when === "immediate" && fallback.movesCount)
      return stop("retries-exhausted", "every retry is used up");
    return moveOr(situation, index, () => stop("retries-exhausted", "every retry is used up"));
  }
  if (fallback.when === "immediate") {
    const free = findFree(situation, failure.scope);
    if (free !== undefined) return moveTo(situation, free, index, "another target is free, so nobody has to wait");
  }
  const target = chain.targets[standing.position];
  if (policy.budget !== null && target !== undefined && !health.canRetry(target, policy.budget)) {
    return moveOr(situation, index, () =>
      stop("retry-budget", "the retry budget shared with other generations is used up"),
    );
  }
  const delayMs = rule.delay === "none" ? 0 : scheduledMs;
  const waitMs = policy.honourHints && failure.hintMs !== undefined ? Math.max(delayMs, failure.hintMs) : delayMs;
  const isOverCap = policy.maxDelayMs !== null && waitMs > policy.maxDelayMs;
  if (isOverCap || (fallback.when === "long-wait" && waitMs > fallback.longWaitMs)) {
    return moveOr(situation, index, () => waitForEarliest(situation, index, delayMs));
  }
  return {
    type: "wait",
    delayMs: waitMs,
    to: revertTarget(situation, waitMs),
    schedule: index,
    because: waitMs > delayMs ? "the endpoint asked for this wait" : `${failure.kind} usually passes`,
  };
}

/** The classifier says that this very failure does not pass by waiting, though its kind usually does. */
function giveUpHere(situation: Situation, schedule: number): Decision {
  const { failure } = situation;
  if (failure.kind === "unknown") return stop("not-retryable", "nothing shows that trying again could help");
  return moveOr(situation, schedule, () =>
    stop("hopeless", `this ${failure.kind} does not pass by waiting (${failure.evidence})`),
  );
}

function moveOr(situation: Situation, schedule: number, otherwise: () => Decision): Decision {
  const free = findFree(situation, situation.failure.scope);
  return free === undefined
    ? otherwise()
    : moveTo(situation, free, schedule, "nothing more to hope for here; another target is free");
}

/** An earlier model of the chain whose cooldown is over by the end of the wait comes back, if the policy lets it. */
function revertTarget(situation: Situation, waitMs: number): number {
  const { chain, standing } = situation;
  const { fallback } = situation.policy.policy;
  if (fallback.when === "after-retries" || fallback.revert === "never") return standing.position;
  const entry = chain.entryOf[standing.position] ?? 0;
  for (let to = 0; (chain.entryOf[to] ?? entry) < entry; to++) {
    if (opensInMs(situation, to) <= waitMs) return to;
  }
  return standing.position;
}
