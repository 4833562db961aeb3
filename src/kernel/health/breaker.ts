import type { BreakerSpec } from "../model/policy.ts";
import {
  AFTER_OUTAGE,
  hasRampFailed,
  isRampFree,
  isRampOver,
  type Ramp,
  rampAfterAdmission,
  rampAfterDenial,
  rampAfterFailure,
  rampAfterForeignAdmission,
  rampAfterRelease,
  rampAfterSuccess,
  startRamp,
} from "./ramp.ts";
import { isDown, isForgotten, type Share, shareAfterAnswer, shareAfterFailure, startShare } from "./share.ts";
import { ASK_AGAIN_MS, PROBE_ASK_MS, SPREAD_MS, spreadMs } from "./spread.ts";
import type { Traffic } from "./traffic.ts";

/**
 * A circuit breaker as a value. Closed lets everything through; open nothing; half-open exactly one probe, whose
 * outcome decides; recovering a growing share. A probe that never reports back loses its claim after the cooldown, so
 * nothing stays shut for ever. `sinceMs` is when it opened: attempts from before that do not count;
 * `turnedAway` counts the denials since.
 */
export type BreakerState = Closed | Shut | Recovering;

type Closed = {
  readonly phase: "closed";
  /** Undefined: nothing has failed lately. */
  readonly share: Share | undefined;
};
type Recovering = { readonly phase: "recovering"; readonly ramp: Ramp };
type Shut = {
  readonly sinceMs: number;
  readonly cooldownMs: number;
  readonly turnedAway: number;
  /** What was usual before. */
  readonly usual: Traffic;
  /** How long the last probe took to fail. Undefined: none has failed yet. */
  readonly failedInMs: number | undefined;
} & (
  | { readonly phase: "open"; readonly untilMs: number }
  | { readonly phase: "half-open"; readonly probeAtMs: number }
);

export const CLOSED: BreakerState = Object.freeze({ phase: "closed", share: undefined });

/** Probes are at most this part of the usual calls, unless `maxCooldownMs` asks for more. */
const PROBE_SHARE = 0.15;
/** In an outage that lasts longer than this, there are fewer probes. */
const LONG_MS = 60_000;
/** A probe that hangs is followed by the next one after this, even if failures take longer. */
const CLAIM_MS = 4000;
/** A probe that is under way for so many times as long as the last one took to fail is as good as answered, */
const BELIEVED_TIMES = 10;
/** but not before this. */
const BELIEVED_MS = 100;

/** Milliseconds until an attempt may be let through; 0: now. */
export function breakerBlockedForMs(state: BreakerState, { rampMs }: BreakerSpec, nowMs: number): number {
  if (state.phase === "closed") return 0;
  if (state.phase === "recovering") {
    return isRampOver(state.ramp, rampMs, nowMs) || isRampFree(state.ramp, nowMs) ? 0 : ASK_AGAIN_MS;
  }
  const leftMs = shutForMs(state, nowMs);
  // The generation that has just failed would return at that very moment, before all others, and spend its retries on probes.
  return leftMs > 0 && state.turnedAway > 0 ? leftMs + SPREAD_MS : leftMs;
}

/** Whether the next call that is let through is a probe. */
export function isProbeDue(state: BreakerState, nowMs: number): boolean {
  if (state.phase === "open") return state.untilMs <= nowMs;
  return state.phase === "half-open" && shutForMs(state, nowMs) === 0 && believedInMs(state, nowMs) > 0;
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
    return { phase: "recovering", ramp: rampAfterAdmission(state.ramp, nowMs) };
  }
  if (state.phase === "half-open" && believedInMs(state, nowMs) === 0) {
    // The ramp starts with the probe, whose outcome is still to come.
    const ramp = { ...rampAfter(state, state.probeAtMs, 0), underWay: 1, lookedMs: nowMs };
    return { phase: "recovering", ramp: rampAfterAdmission(ramp, nowMs) };
  }
  const { sinceMs, cooldownMs, turnedAway, usual, failedInMs } = state;
  return { phase: "half-open", sinceMs, probeAtMs: nowMs, cooldownMs, turnedAway, usual, failedInMs };
}

/** Another process has let a call through on the ramp. */
export function breakerAfterForeignAdmission(state: Recovering, nowMs: number): BreakerState {
  return { phase: "recovering", ramp: rampAfterForeignAdmission(state.ramp, nowMs) };
}

export function breakerAfterDenial(state: BreakerState, nowMs: number): BreakerState {
  if (state.phase === "closed") return state;
  if (state.phase === "recovering") return { ...state, ramp: rampAfterDenial(state.ramp, nowMs) };
  return { ...state, turnedAway: state.turnedAway + 1 };
}

/** Too many calls were under way, and those who waited for them come back. */
export function breakerAfterCrowd(usual: Traffic, nowMs: number): BreakerState {
  return {
    phase: "recovering",
    ramp: startRamp({ nowMs, quietMs: ASK_AGAIN_MS + SPREAD_MS, usual, successes: 1, steepness: AFTER_OUTAGE }),
  };
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
  if (state.phase === "closed") {
    const share = state.share && shareAfterAnswer(state.share, nowMs);
    return share === undefined || isForgotten(share) ? CLOSED : { phase: "closed", share };
  }
  if (state.phase === "recovering") return { phase: "recovering", ramp: rampAfterSuccess(state.ramp, nowMs) };
  return { phase: "recovering", ramp: rampAfter(state, nowMs, 1) };
}

/** Whether it is a probe whose claim is over: the outcome of the current probe counts instead. */
export function isFormerProbe(state: BreakerState, admittedAtMs: number): boolean {
  return state.phase === "half-open" && admittedAtMs < state.probeAtMs;
}

/** A former probe has failed after all: only how long that takes is worth knowing. */
export function breakerAfterFormerProbe(state: BreakerState, failedInMs: number): BreakerState {
  return state.phase === "half-open" ? { ...state, failedInMs } : state;
}

/** `usual`: what is known while it is closed. `underWay`: calls whose outcome is still to come. */
export function breakerAfterFailure(
  state: BreakerState,
  spec: BreakerSpec,
  usual: Traffic,
  nowMs: number,
  underWay = 0,
): BreakerState {
  switch (state.phase) {
    case "closed": {
      const share = shareAfterFailure(state.share ?? startShare(usual.perSecond, nowMs), nowMs);
      const isOpening = isDown(share, spec, usual.perSecond === 0 ? underWay : 0);
      return isOpening ? opened(spec, usual, nowMs) : { phase: "closed", share };
    }
    case "open":
      return state;
    case "half-open": {
      const cooldownMs = Math.min(state.cooldownMs * 2, mostCooldownMs(spec, state, nowMs));
      // Counted from the probe's start: a probe that hangs until its time is up has done its waiting already.
      const untilMs = Math.max(nowMs, state.probeAtMs + cooldownMs);
      const { sinceMs, turnedAway, probeAtMs } = state;
      const failedInMs = nowMs - probeAtMs;
      return { phase: "open", sinceMs, untilMs, cooldownMs, turnedAway, usual: state.usual, failedInMs };
    }
    case "recovering": {
      const ramp = rampAfterFailure(state.ramp, nowMs);
      if (!hasRampFailed(ramp, spec)) return { phase: "recovering", ramp };
      return opened(spec, ramp.usual, nowMs);
    }
    default:
      return state satisfies never;
  }
}

/** An attempt ended without a verdict (it was aborted): if it was the probe, the next one may probe at once. */
export function breakerAfterRelease(state: BreakerState, nowMs: number): BreakerState {
  if (state.phase === "recovering") return { phase: "recovering", ramp: rampAfterRelease(state.ramp) };
  if (state.phase !== "half-open") return state;
  const { sinceMs, cooldownMs, turnedAway, usual, failedInMs } = state;
  return { phase: "open", sinceMs, untilMs: nowMs, cooldownMs, turnedAway, usual, failedInMs };
}

function shutForMs(state: Shut, nowMs: number): number {
  if (state.phase === "open") return Math.max(0, state.untilMs - nowMs);
  return Math.min(believedInMs(state, nowMs), Math.max(0, state.probeAtMs + claimMs(state) - nowMs));
}

/** How long the probe that is out keeps others from probing: where failures take long, a little longer. */
function claimMs({ cooldownMs, failedInMs = 0 }: Shut): number {
  return Math.max(cooldownMs, Math.min(failedInMs, CLAIM_MS));
}

/** When the probe that is out has lived so long that it hardly fails; 0: now. Infinity: failures are not known to be quick. */
function believedInMs({ probeAtMs, failedInMs }: Shut & { readonly probeAtMs: number }, nowMs: number): number {
  if (failedInMs === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(0, probeAtMs + Math.max(BELIEVED_MS, failedInMs * BELIEVED_TIMES) - nowMs);
}

function rampAfter({ cooldownMs, usual }: Shut, sinceMs: number, successes: 0 | 1): Ramp {
  return startRamp({ nowMs: sinceMs, quietMs: cooldownMs + SPREAD_MS, usual, successes, steepness: AFTER_OUTAGE });
}

function opened({ cooldownMs }: BreakerSpec, usual: Traffic, nowMs: number): BreakerState {
  const untilMs = nowMs + cooldownMs;
  return { phase: "open", sinceMs: nowMs, untilMs, cooldownMs, turnedAway: 0, usual, failedInMs: undefined };
}

/** The more calls there are, the less a probe costs; the longer an outage lasts, the less one probe more will find out. */
function mostCooldownMs({ cooldownMs, maxCooldownMs }: BreakerSpec, { usual, sinceMs }: Shut, nowMs: number): number {
  if (usual.perSecond === 0) return maxCooldownMs;
  const everyMs = (1000 / (usual.perSecond * PROBE_SHARE)) * Math.max(1, (nowMs - sinceMs) / LONG_MS);
  return Math.min(maxCooldownMs, Math.max(cooldownMs, everyMs));
}
