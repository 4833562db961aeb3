import { engineFailure } from "./classify/engine-failure.ts";
import type { HealthView } from "./health/health.ts";
import type { Failure } from "./model/failure.ts";
import type { BreakerSpec } from "./model/policy.ts";
import type { Target } from "./model/target.ts";

const BREAKER_OPEN = "API unavailable (circuit breaker triggered)";
const COOLING_DOWN = "The target is cooling down after an earlier limit";
const RECOVERING = "The target is recovering: calls are let through a few at a time";

export interface HeldBack {
  readonly target: Target;
  readonly breaker: BreakerSpec | null;
  readonly nowMs: number;
}

/** Why health lets nobody through to a target now: it cools down, its breaker is open, or it is on its way back from either. */
export function whyHeldBack(health: HealthView, { target, breaker, nowMs }: HeldBack): Failure {
  // Ramps are only for policies with a breaker: without one it is the cooldown alone that answers.
  const coolingMs = health.blockedForMs(target, null, nowMs);
  if (coolingMs > 0)
    return { ...engineFailure("rate_limit", COOLING_DOWN, "health:cooldown", target), hintMs: coolingMs };
  // Who wants no ramp is held back only by what is shut.
  const isShut = breaker === null || health.blockedForMs(target, { ...breaker, rampMs: 0 }, nowMs) > 0;
  if (isShut) return engineFailure("overloaded", BREAKER_OPEN, "health:breaker", target);
  return engineFailure("overloaded", RECOVERING, "health:recovering", target);
}
