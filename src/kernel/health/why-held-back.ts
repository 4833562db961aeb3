import { engineFailure } from "../classify/engine-failure.ts";
import type { Failure } from "../model/failure.ts";
import type { BreakerSpec } from "../model/policy.ts";
import type { Target } from "../model/target.ts";
import type { HealthView } from "./health.ts";

const BREAKER_OPEN = "API unavailable (circuit breaker triggered)";
const REFUSED = "The target was rejected recently: its key or model is not accepted";
const USED_UP = "The target's quota was used up recently, and it is not known when it returns";
const COOLING_DOWN = "The target is cooling down after an earlier limit";
const NO_ROOM = "Waiting for room to retry";
const CROWDED = "The target answers fewer calls than usual: new ones wait until others have ended";
const RECOVERING = "The target is recovering: calls are let through a few at a time";

/**
 * Why health holds calls to a target back: it was refused, its quota is used up, it cools down, its breaker is open, it is recovering,
 * or (for a retry, and if it is none of these) the budget is empty.
 */
export function whyHeldBack(
  health: HealthView,
  target: Target,
  breaker: BreakerSpec | null,
  nowMs: number,
  isRetry = true,
): Failure {
  // Ramps are only for policies with a breaker: without one only the cooldown counts.
  const coolingMs = health.blockedForMs(target, null, nowMs);
  // No hint: waiting does not help.
  const refusal = health.refusalOf?.(target, nowMs);
  if (refusal === "usage_limit") return engineFailure("usage_limit", USED_UP, "health:used-up", target);
  if (refusal !== undefined) return engineFailure("permission", REFUSED, "health:refused", target);
  if (coolingMs > 0)
    return { ...engineFailure("rate_limit", COOLING_DOWN, "health:cooldown", target), hintMs: Math.ceil(coolingMs) };
  if (isRetry && health.blockedForMs(target, breaker, nowMs) === 0) {
    return engineFailure("overloaded", NO_ROOM, "health:budget", target);
  }
  if (health.isCrowded?.(target, nowMs) === true) return engineFailure("overloaded", CROWDED, "health:crowd", target);
  // Without a ramp only an open breaker holds a call back.
  const isShut = breaker === null || health.blockedForMs(target, { ...breaker, rampMs: 0 }, nowMs) > 0;
  if (isShut) return engineFailure("overloaded", BREAKER_OPEN, "health:breaker", target);
  return engineFailure("overloaded", RECOVERING, "health:recovering", target);
}

/** Adds the remaining time to the message of a generation that ends instead of waiting; a wait shows its length anyway. */
export function sayHowLong(failure: Failure): Failure {
  const { hintMs, message } = failure;
  return hintMs === undefined ? failure : { ...failure, message: `${message}, for another ${sayRest(hintMs)}` };
}

const UNITS = [
  ["s", 1000],
  ["min", 60_000],
  ["h", 3_600_000],
  ["days", 86_400_000],
] as const;

/** In the smallest unit with at most two digits, rounded up: after that time the target is free. */
function sayRest(ms: number): string {
  const [name, unitMs] = UNITS.find(([, size]) => ms <= 99 * size) ?? UNITS[3];
  return `${Math.ceil(ms / unitMs)} ${name}`;
}
