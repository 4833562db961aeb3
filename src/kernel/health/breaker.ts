import type { BreakerSpec } from "../model/policy.ts";
import {
  hasRampFailed,
  isRampFree,
  isRampOver,
  type Ramp,
  rampAfterAdmission,
  rampAfterDenial,
  rampAfterFailure,
  rampAfterRelease,
  rampAfterSuccess,
  startRamp,
} from "./ramp.ts";
import { ASK_AGAIN_MS, PROBE_ASK_MS, SPREAD_MS, spreadMs } from "./spread.ts";

/**
 * A circuit breaker as a value. Closed lets everything through; open nothing; half-open exactly one probe, whose
 * outcome decides; recovering a growing share. A probe that never reports back loses its claim after the cooldown, so
 * nothing stays shut for ever. `sinceMs` is when it opened: attempts from before that do not count;
 * `turnedAway` counts the denials since.
 */
export type BreakerState = Closed | Shut | Recovering;

type Closed = { readonly phase: "closed"; readonly failures: number };
type Recovering = { readonly phase: "recovering"; readonly ramp: Ramp };
type Shut = { readonly sinceMs: number; readonly cooldownMs: number; readonly turnedAway: number } & (
  | { readonly phase: "open"; readonly untilMs: number }
  | { readonly phase: "half-open"; readonly probeAtMs: number }
);

export const CLOSED: BreakerState = Object.freeze({ phase: "closed", failures: 0 });

/** Milliseconds until an attempt may be let through; 0: now. */
export function breakerBlockedForMs(state: BreakerState, { rampMs }: BreakerSpec, nowMs: number): number {
  if (state.phase === "closed") return 0;
  if (state.phase === "recovering") {
    return isRampOver(state.ramp, rampMs, nowMs) || isRampFree(state.ramp, rampMs, nowMs) ? 0 : ASK_AGAIN_MS;
  }
  const leftMs = shutForMs(state, nowMs);
  // The generation that has just failed would return at that very moment, before all others, and spend its retries on probes.
  return leftMs > 0 && state.turnedAway > 0 ? leftMs + SPREAD_MS : leftMs;
}

/** When a call that is turned away now should ask again: not all at the same moment. */
export function breakerWaitMs(state: BreakerState, spec: BreakerSpec, nowMs: number): number {
  if (state.phase === "closed") return 0;
  if (state.phase === "recovering") return breakerBlockedForMs(state, spec, nowMs) + spreadMs(state.ramp.turnedAway);
  const leftMs = shutForMs(state, nowMs);
  // The probe's answer may come long before its claim ends.
  return (state.phase === "half-open" ? Math.min(leftMs, PROBE_ASK_MS) : leftMs) + spreadMs(state.turnedAway);
}

/** The state once an attempt has been let through: the probe is taken, or a place on the ramp. */
export function breakerAfterAdmission(state: BreakerState, { rampMs }: BreakerSpec, nowMs: number): BreakerState {
  if (state.phase === "closed") return state;
  if (state.phase === "recovering") {
    if (isRampOver(state.ramp, rampMs, nowMs)) return CLOSED;
    return { phase: "recovering", ramp: rampAfterAdmission(state.ramp, rampMs, nowMs) };
  }
  const { sinceMs, cooldownMs, turnedAway } = state;
  return { phase: "half-open", sinceMs, probeAtMs: nowMs, cooldownMs, turnedAway };
}

export function breakerAfterDenial(state: BreakerState, { rampMs }: BreakerSpec, nowMs: number): BreakerState {
  if (state.phase === "closed") return state;
  if (state.phase === "recovering") return { ...state, ramp: rampAfterDenial(state.ramp, rampMs, nowMs) };
  return { ...state, turnedAway: state.turnedAway + 1 };
}

/** Whether an attempt was admitted before the current state: its outcome does not count. */
export function isStraggler(state: BreakerState, admittedAtMs: number): boolean {
  if (state.phase === "closed") return false;
  return state.phase === "recovering" ? admittedAtMs < state.ramp.sinceMs : admittedAtMs <= state.sinceMs;
}

/**
 * A success ends a row of failures and shows that the provider is recovering. It need not come from the latest probe: an
 * answer may take longer than a probe's claim. While the breaker is open it comes from an attempt that a person sent.
 */
export function breakerAfterSuccess(state: BreakerState, nowMs: number): BreakerState {
  if (state.phase === "closed") return CLOSED;
  if (state.phase === "recovering") return { phase: "recovering", ramp: rampAfterSuccess(state.ramp) };
  return { phase: "recovering", ramp: startRamp(nowMs, state.cooldownMs + SPREAD_MS) };
}

/** Whether it is a probe whose claim is over: the outcome of the current probe counts instead. */
export function isFormerProbe(state: BreakerState, admittedAtMs: number): boolean {
  return state.phase === "half-open" && admittedAtMs < state.probeAtMs;
}

export function breakerAfterFailure(state: BreakerState, spec: BreakerSpec, nowMs: number): BreakerState {
  switch (state.phase) {
    case "closed": {
      const failures = state.failures + 1;
      return failures < spec.failures ? { phase: "closed", failures } : opened(spec, nowMs);
    }
    case "open":
      return state;
    case "half-open": {
      const cooldownMs = Math.min(state.cooldownMs * 2, spec.maxCooldownMs);
      // Counted from the probe's start: a probe that hangs until its time is up has done its waiting already.
      const untilMs = Math.max(nowMs, state.probeAtMs + cooldownMs);
      return { phase: "open", sinceMs: state.sinceMs, untilMs, cooldownMs, turnedAway: state.turnedAway };
    }
    case "recovering": {
      const ramp = rampAfterFailure(state.ramp);
      return hasRampFailed(ramp, spec.failures) ? opened(spec, nowMs) : { phase: "recovering", ramp };
    }
    default:
      return state satisfies never;
  }
}

/** An attempt ended without a verdict (it was aborted): if it was the probe, the next one may probe at once. */
export function breakerAfterRelease(state: BreakerState, nowMs: number): BreakerState {
  if (state.phase === "recovering") return { phase: "recovering", ramp: rampAfterRelease(state.ramp) };
  if (state.phase !== "half-open") return state;
  const { sinceMs, cooldownMs, turnedAway } = state;
  return { phase: "open", sinceMs, untilMs: nowMs, cooldownMs, turnedAway };
}

function shutForMs(state: Shut, nowMs: number): number {
  return Math.max(0, (state.phase === "open" ? state.untilMs : state.probeAtMs + state.cooldownMs) - nowMs);
}

function opened({ cooldownMs }: BreakerSpec, nowMs: number): BreakerState {
  return { phase: "open", sinceMs: nowMs, untilMs: nowMs + cooldownMs, cooldownMs, turnedAway: 0 };
}
