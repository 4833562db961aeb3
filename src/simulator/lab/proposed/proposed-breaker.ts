import type { BreakerSpec } from "../../../kernel/index.ts";
import { hasRampFailed, type Ramp, rampAfterFailure } from "./ramp.ts";

/** The kernel's breaker with one more phase: after a good probe it is not closed yet, but on its way back. */
export type Breaker =
  | { readonly phase: "closed"; readonly failures: number }
  | { readonly phase: "open"; readonly untilMs: number; readonly cooldownMs: number }
  | { readonly phase: "half-open"; readonly probeAtMs: number; readonly cooldownMs: number }
  | { readonly phase: "recovering"; readonly ramp: Ramp; readonly cooldownMs: number };

export const CLOSED: Breaker = { phase: "closed", failures: 0 };

export interface FailedCall {
  readonly state: Breaker;
  readonly spec: BreakerSpec;
  readonly nowMs: number;
  readonly startedMs: number;
}

/** What went out before the probe, or before the way back began, says nothing about now. */
export function afterFailure({ state, spec, nowMs, startedMs }: FailedCall): Breaker {
  switch (state.phase) {
    case "open":
      return state;
    case "half-open": {
      if (startedMs < state.probeAtMs) return state;
      const cooldownMs = Math.min(state.cooldownMs * 2, spec.maxCooldownMs);
      // Counted from the probe's start: a probe that hangs until its time is up has done its waiting already.
      return { phase: "open", untilMs: Math.max(nowMs, state.probeAtMs + cooldownMs), cooldownMs };
    }
    case "recovering": {
      if (startedMs < state.ramp.sinceMs) return state;
      const ramp = rampAfterFailure(state.ramp);
      if (!hasRampFailed(ramp, spec.failures)) return { ...state, ramp };
      return { phase: "open", untilMs: nowMs + spec.cooldownMs, cooldownMs: spec.cooldownMs };
    }
    case "closed": {
      const failures = state.failures + 1;
      if (failures < spec.failures) return { phase: "closed", failures };
      return { phase: "open", untilMs: nowMs + spec.cooldownMs, cooldownMs: spec.cooldownMs };
    }
    default:
      return state satisfies never;
  }
}
