import type { FailureKind } from "../model/failure.ts";
import type { BreakerSpec, Policy } from "../model/policy.ts";
import {
  AFTER_LIMIT,
  isRampFree,
  isRampOver,
  type Ramp,
  rampAfterAdmission,
  rampAfterDenial,
  startRamp,
} from "./ramp.ts";
import { ASK_AGAIN_MS, SPREAD_MS, spreadMs } from "./spread.ts";
import type { Traffic } from "./traffic.ts";

/**
 * A credential or model that is left out until a moment, as a value. Everyone who waited for that moment would come back at
 * once, so for policies with a breaker its end is a ramp, of this credential or model alone.
 */
export interface Cooldown {
  readonly untilMs: number;
  /** What it was refused for. Until then it is left out, but not waited for. Undefined: a limit with a known end, or one that passes. */
  readonly refusal: FailureKind | undefined;
  readonly turnedAway: number;
  /** When the credential or model last answered since the first of the limits in a row. */
  readonly answeredMs: number | undefined;
  /** Undefined: it still cools down, or no call has asked since. */
  readonly ramp: Ramp | undefined;
}

/** Of two reports the later deadline counts. */
export function cooldownUntil(known: Cooldown | undefined, untilMs: number): Cooldown {
  if (known !== undefined && known.untilMs >= untilMs) return known;
  return {
    untilMs,
    refusal: undefined,
    turnedAway: 0,
    answeredMs: known?.answeredMs,
    ramp: rampUntil(known?.ramp, untilMs),
  };
}

/** A limit that is announced again and again for a moment must not start the ramp anew each time; it stands still meanwhile. */
function rampUntil(ramp: Ramp | undefined, untilMs: number): Ramp | undefined {
  if (ramp === undefined || untilMs - ramp.lookedMs > SPREAD_MS) return undefined;
  return { ...ramp, lookedMs: Math.max(ramp.lookedMs, untilMs) };
}

export function cooldownBlockedForMs(cooldown: Cooldown, breaker: BreakerSpec | null, nowMs: number): number {
  const { untilMs, ramp } = cooldown;
  if (untilMs > nowMs) return untilMs - nowMs;
  if (breaker === null || ramp === undefined || isRampOver(ramp, breaker.rampMs, nowMs)) return 0;
  return isRampFree(ramp, nowMs) ? 0 : ASK_AGAIN_MS;
}

/**
 * When a call that is turned away now should ask again. Without a breaker it is the very moment at which the cooldown ends. The
 * spread must not turn a wait that the policy allows into one over its cap.
 */
export function cooldownWaitMs(cooldown: Cooldown, { breaker, maxDelayMs }: Policy, nowMs: number): number {
  const blockedMs = cooldownBlockedForMs(cooldown, breaker, nowMs);
  if (breaker === null) return blockedMs;
  const spreadOutMs = blockedMs + spreadMs(cooldown.turnedAway);
  return maxDelayMs === null ? spreadOutMs : Math.max(blockedMs, Math.min(spreadOutMs, maxDelayMs));
}

export function cooldownAfterDenial(cooldown: Cooldown, breaker: BreakerSpec | null, nowMs: number): Cooldown {
  const { ramp } = cooldown;
  const turnedAway = cooldown.turnedAway + 1;
  if (breaker === null || ramp === undefined) return { ...cooldown, turnedAway };
  return { ...cooldown, turnedAway, ramp: rampAfterDenial(ramp, nowMs) };
}

/** What is left of it once an attempt has been let through; undefined: nothing. */
export function cooldownAfterAdmission(
  cooldown: Cooldown,
  breaker: BreakerSpec | null,
  usual: Traffic,
  nowMs: number,
  take: (ramp: Ramp, nowMs: number) => Ramp = rampAfterAdmission,
): Cooldown | undefined {
  if (breaker === null || breaker.rampMs === 0) return undefined;
  const ramp = cooldown.ramp ?? startRamp({ nowMs, quietMs: SPREAD_MS, usual, successes: 1, steepness: AFTER_LIMIT });
  if (isRampOver(ramp, breaker.rampMs, nowMs)) return undefined;
  return { ...cooldown, ramp: take(ramp, nowMs) };
}
