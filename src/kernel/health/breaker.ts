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
export type BreakerState =
  | { readonly phase: "closed"; readonly failures: number }
  | {
      readonly phase: "open";
      readonly sinceMs: number;
      readonly untilMs: number;
      readonly cooldownMs: number;
      readonly turnedAway: number;
    }
  | {
      readonly phase: "half-open";
      readonly sinceMs: number;
      readonly probeAtMs: number;
      readonly cooldownMs: number;
      readonly turnedAway: number;
    }
  | { readonly phase: "recovering"; readonly ramp: Ramp };

export const CLOSED: BreakerState = Object.freeze({ phase: "closed", failures: 0 });

/** Milliseconds until an attempt may be let through; 0: now. */
export function breakerBlockedForMs(state: BreakerState, spec: BreakerSpec, nowMs: number): number {
  switch (state.phase) {
    case "closed":
      return 0;
    case "open":
    case "half-open": {
      const leftMs = shutForMs(state, nowMs);
      // The generation that has just failed would return at that very moment, before all others, and spend its retries on probes.
      return leftMs > 0 && state.turnedAway > 0 ? leftMs + SPREAD_MS : leftMs;
    }
    case "recovering": {
      const { ramp } = state;
      return isRampOver(ramp, spec.rampMs, nowMs) || isRampFree(ramp, spec.rampMs, nowMs) ? 0 : ASK_AGAIN_MS;
    }
    default:
      return state satisfies never;
  }
}

/** When a call that is turned away now should ask again: not all at the same moment. */
export function breakerWaitMs(state: BreakerState, spec: BreakerSpec, nowMs: number): number {
  switch (state.phase) {
    case "closed":
      return 0;
    case "open":
      return shutForMs(state, nowMs) + spreadMs(state.turnedAway);
    case "half-open":
      // The probe's answer may come long before its claim ends.
      return Math.min(shutForMs(state, nowMs), PROBE_ASK_MS) + spreadMs(state.turnedAway);
    case "recovering":
      return breakerBlockedForMs(state, spec, nowMs) + spreadMs(state.ramp.turnedAway);
    default:
      return state satisfies never;
  }
}

/** The state once an attempt has been let through: the probe is taken, or a place on the ramp. */
export function breakerAfterAdmission(state: BreakerState, spec: BreakerSpec, nowMs: number): BreakerState {
  switch (state.phase) {
    case "closed":
      return state;
    case "open":
    case "half-open": {
      const { sinceMs, cooldownMs, turnedAway } = state;
      return { phase: "half-open", sinceMs, probeAtMs: nowMs, cooldownMs, turnedAway };
    }
    case "recovering": {
      const { ramp } = state;
      if (isRampOver(ramp, spec.rampMs, nowMs)) return CLOSED;
      return { phase: "recovering", ramp: rampAfterAdmission(ramp, spec.rampMs, nowMs) };
    }
    default:
      return state satisfies never;
  }
}

export function breakerAfterDenial(state: BreakerState, spec: BreakerSpec, nowMs: number): BreakerState {
  switch (state.phase) {
    case "closed":
      return state;
    case "open":
    case "half-open":
      return { ...state, turnedAway: state.turnedAway + 1 };
    case "recovering":
      return { phase: "recovering", ramp: rampAfterDenial(state.ramp, spec.rampMs, nowMs) };
    default:
      return state satisfies never;
  }
}

/** Whether an attempt was admitted before the current state: its outcome does not count. */
export function isStraggler(state: BreakerState, admittedAtMs: number): boolean {
  switch (state.phase) {
    case "closed":
      return false;
    case "open":
    case "half-open":
      return admittedAtMs <= state.sinceMs;
    case "recovering":
      return admittedAtMs < state.ramp.sinceMs;
    default:
      return state satisfies never;
  }
}

/**
 * A success ends a row of failures and shows that the provider is on its way back. It need not be that of the latest
 * probe: an answer may take longer than a probe's claim. In an open one it is that of an attempt that a person sent.
 */
export function breakerAfterSuccess(state: BreakerState, nowMs: number): BreakerState {
  switch (state.phase) {
    case "closed":
      return CLOSED;
    case "open":
    case "half-open":
      return { phase: "recovering", ramp: startRamp(nowMs, state.cooldownMs + SPREAD_MS) };
    case "recovering":
      return { phase: "recovering", ramp: rampAfterSuccess(state.ramp) };
    default:
      return state satisfies never;
  }
}

/** Whether it is a probe whose claim is over: of what went wrong the one that is out knows better. */
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

type Shut = Extract<BreakerState, { phase: "open" | "half-open" }>;

function shutForMs(state: Shut, nowMs: number): number {
  return Math.max(0, (state.phase === "open" ? state.untilMs : state.probeAtMs + state.cooldownMs) - nowMs);
}

function opened({ cooldownMs }: BreakerSpec, nowMs: number): BreakerState {
  return { phase: "open", sinceMs: nowMs, untilMs: nowMs + cooldownMs, cooldownMs, turnedAway: 0 };
}
