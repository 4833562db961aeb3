import type { Decision, StopReason } from "../model/decision.ts";
import type { Failure } from "../model/failure.ts";
import type { Policy } from "../model/policy.ts";
import type { Target } from "../model/target.ts";
import type { Health } from "./health.ts";
import { isOpenEnded, isRefusal } from "./refusal.ts";

interface Cooling {
  readonly health: Health;
  readonly target: Target;
  /** Where the target stands in its chain. */
  readonly position: number;
  /** Whether the chain has another one. */
  readonly hasOthers: boolean;
  readonly failure: Failure;
  readonly policy: Policy;
  readonly decision: Decision;
  readonly nowMs: number;
}

/** Reports to health what cools down after a failure, and for how long. It applies to every other generation as well. */
export function coolDownAfter(cooling: Cooling): void {
  const { health, target, failure, nowMs } = cooling;
  const forMs = leftOutForMs(cooling);
  if (forMs === undefined) return;
  const scope = failure.scope === "credential" ? "credential" : "model";
  const untilMs = nowMs + forMs;
  if (!isRefusal(failure) && !isOpenEnded(failure)) health.coolDown(target, scope, untilMs);
  else if (health.refuse !== undefined) health.refuse(target, scope, untilMs, failure.kind);
  // Without `refuse`, every generation would wait for what is only a guess.
  else if (isRefusal(failure)) health.coolDown(target, scope, untilMs);
}

/** A target that is left cools down. So does one that is limited, whatever is done about it: as far as it is known how long. */
function leftOutForMs(cooling: Cooling): number | undefined {
  const { failure, policy, decision, position } = cooling;
  // A request that can never fit, or an answer that lacks something, does not affect the next generation.
  if (failure.scope === "request" || (failure.kind === "rate_limit" && !failure.retryable)) return undefined;
  const hintMs = policy.honourHints ? failure.hintMs : undefined;
  const isLimit = failure.kind === "rate_limit" || failure.kind === "usage_limit";
  // One call in sixty fails like this: that is no reason to keep the others away. A limited credential that can be left is left.
  const isLeft = "to" in decision && decision.to !== position;
  if (!(isLimit && isLeft) && cooling.health.isRare?.(cooling.target, failure) === true) return undefined;
  switch (decision.type) {
    case "rotate":
    case "switch":
      return hintMs ?? policy.fallback.cooldownMs;
    case "wait":
      if (decision.to !== position && (isLimit || isRefusal(failure))) return hintMs ?? policy.fallback.cooldownMs;
      if (hintMs !== undefined) return isLimit || failure.scope === "credential" ? hintMs : undefined;
      return isLimit ? waitedForMs(cooling, decision.delayMs) : undefined;
    case "stop":
      return isLimit ? endedWithForMs(cooling, decision.reason, hintMs) : undefined;
    case "hand-over":
      return undefined;
    default:
      return decision satisfies never;
  }
}

/**
 * The limit has no known end: others then avoid the target for as long as this generation waits. A rate limit passes by itself,
 * so with no other target it blocks no call; nor does anything where a policy waits before it goes elsewhere.
 */
function waitedForMs({ failure, policy, hasOthers }: Cooling, delayMs: number): number | undefined {
  if (policy.fallback.when === "after-retries") return undefined;
  return failure.kind === "usage_limit" || hasOthers ? delayMs : undefined;
}

/** The generation ends with a limit: the next one begins elsewhere, or waits as long as the endpoint asked. */
function endedWithForMs(cooling: Cooling, reason: StopReason, hintMs: number | undefined): number | undefined {
  const { failure, policy, hasOthers } = cooling;
  // One plain call, as if we were not there.
  if (reason === "disabled" || reason === "filtered") return undefined;
  // Alone, and the policy does not wait for this: the next one is to hear the endpoint's words at once as well.
  if (!hasOthers && (reason === "not-retryable" || reason === "hopeless")) return undefined;
  if (hintMs !== undefined) return hintMs;
  // A guess must not lock others out: only what is used up for long, and where something else can be tried.
  const isLong = failure.kind === "usage_limit" || reason === "delay-cap";
  return isLong && hasOthers && policy.fallback.when !== "after-retries" ? policy.fallback.cooldownMs : undefined;
}
