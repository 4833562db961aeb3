import type { BreakerSpec } from "../model/policy.ts";

/**
 * A circuit breaker as a value. Closed lets everything through; open nothing; half-open exactly one probe, whose
 * outcome decides. A probe that never reports back loses its claim after the cooldown, so nothing stays shut for ever.
 */
export type BreakerState =
  | { readonly phase: "closed"; readonly failures: number }
  | { readonly phase: "open"; readonly untilMs: number; readonly cooldownMs: number }
  | { readonly phase: "half-open"; readonly probeUntilMs: number; readonly cooldownMs: number };

export const CLOSED: BreakerState = Object.freeze({ phase: "closed", failures: 0 });

/** Milliseconds until an attempt may be let through; 0: now. */
export function breakerBlockedForMs(state: BreakerState, nowMs: number): number {
  if (state.phase === "closed") return 0;
  return Math.max(0, (state.phase === "open" ? state.untilMs : state.probeUntilMs) - nowMs);
}

/** The state once an attempt has been let through: an open breaker whose time has come becomes half-open, its probe taken. */
export function breakerAdmitted(state: BreakerState, nowMs: number): BreakerState {
  if (state.phase === "closed") return state;
  return { phase: "half-open", probeUntilMs: nowMs + state.cooldownMs, cooldownMs: state.cooldownMs };
}

/** Whether an attempt let through then is older than the probe that is out: its outcome says nothing about now. */
export function isStraggler(state: BreakerState, admittedAtMs: number | undefined): boolean {
  if (state.phase !== "half-open" || admittedAtMs === undefined) return false;
  return admittedAtMs < state.probeUntilMs - state.cooldownMs;
}

/** A success closes it, except that an open breaker does not trust an answer to a question asked before it opened. */
export function breakerAfterSuccess(state: BreakerState): BreakerState {
  return state.phase === "open" ? state : CLOSED;
}

export function breakerAfterFailure(state: BreakerState, spec: BreakerSpec, nowMs: number): BreakerState {
  if (state.phase === "open") return state;
  if (state.phase === "half-open") {
    const cooldownMs = Math.min(state.cooldownMs * 2, spec.maxCooldownMs);
    return { phase: "open", untilMs: nowMs + cooldownMs, cooldownMs };
  }
  const failures = state.failures + 1;
  if (failures < spec.failures) return { phase: "closed", failures };
  return { phase: "open", untilMs: nowMs + spec.cooldownMs, cooldownMs: spec.cooldownMs };
}

/** An attempt ended without a verdict (it was aborted): if it was the probe, the next one may probe at once. */
export function breakerAfterRelease(state: BreakerState, nowMs: number): BreakerState {
  if (state.phase !== "half-open") return state;
  return { phase: "open", untilMs: nowMs, cooldownMs: state.cooldownMs };
}
