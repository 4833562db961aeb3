import { engineFailure } from "../classify/engine-failure.ts";
import type { Failure } from "../model/failure.ts";
import type { BreakerSpec } from "../model/policy.ts";
import type { Target } from "../model/target.ts";
import type { HealthView } from "./health.ts";

const BREAKER_OPEN = "API unavailable (circuit breaker triggered)";
const REFUSED = "The target was refused a short while ago: its key or its model is not accepted";
const COOLING_DOWN = "The target is cooling down after an earlier limit";
const RECOVERING = "The target is recovering: calls are let through a few at a time";

export interface HeldBack {
  readonly target: Target;
  readonly breaker: BreakerSpec | null;
  readonly nowMs: number;
}

/** Why health lets nobody through to a target now: it was refused, it cools down, its breaker is open, or it is on its way back from either. */
export function whyHeldBack(health: HealthView, { target, breaker, nowMs }: HeldBack): Failure {
  // Ramps are only for policies with a breaker: without one it is the cooldown alone that answers.
  const coolingMs = health.blockedForMs(target, null, nowMs);
  // No hint: it is not waited for.
  if (health.isRefused?.(target, nowMs)) return engineFailure("permission", REFUSED, "health:refused", target);
  if (coolingMs > 0)
    return { ...engineFailure("rate_limit", COOLING_DOWN, "health:cooldown", target), hintMs: Math.ceil(coolingMs) };
  // Who wants no ramp is held back only by what is shut.
  const isShut = breaker === null || health.blockedForMs(target, { ...breaker, rampMs: 0 }, nowMs) > 0;
  if (isShut) return engineFailure("overloaded", BREAKER_OPEN, "health:breaker", target);
  return engineFailure("overloaded", RECOVERING, "health:recovering", target);
}

/** For one that is not waited for: a wait tells its length anyway, an end has only these words. */
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

/** In the smallest unit of which there are less than a hundred, rounded up: whoever comes back then finds it free. */
function sayRest(ms: number): string {
  const [name, unitMs] = UNITS.find(([, size]) => ms <= 99 * size) ?? UNITS[3];
  return `${Math.ceil(ms / unitMs)} ${name}`;
}
