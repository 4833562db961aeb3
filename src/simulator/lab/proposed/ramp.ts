/**
 * The way back after an outage, as a value. One good probe proves little: nine of ten calls may still get lost, and a
 * thousand generations wait behind it. So calls come back in step with answers, and a growing share of those who ask.
 */
export interface Ramp {
  readonly sinceMs: number;
  readonly successes: number;
  readonly failures: number;
  /** Failures since the last success. */
  readonly failuresInRow: number;
  /** Calls that the answers so far have earned. */
  readonly credit: number;
  /** How long calls were to be had: the share does not grow while everyone waits for the first answers. */
  readonly openMs: number;
  /** What has gathered of the growing share; at 1 somebody is let through. */
  readonly share: number;
  /** Calls that may go at any time, however early: few generations are no herd. */
  readonly trickle: number;
  readonly lookedMs: number;
  readonly lastAdmittedMs: number;
  readonly lastDeniedMs: number;
}

export interface RampLook {
  readonly ramp: Ramp;
  readonly isFree: boolean;
}

/** Each answer earns three calls: the number of calls under way trebles in the time that an answer takes. */
const CREDIT_PER_SUCCESS = 3;
/** So many calls go out at most before one more answer has come. */
const MOST_CREDIT = 50;
const TRICKLE_PER_SECOND = 5;
const MOST_TRICKLE = 5;
/** Nobody was turned away for so long: nobody waits any more. */
const CALM_MS = 3000;

/** `quietMs`: how long those who were held back before may still sleep; that nobody asks meanwhile says nothing. */
export function startRamp(nowMs: number, quietMs: number): Ramp {
  return {
    sinceMs: nowMs,
    successes: 1,
    failures: 0,
    failuresInRow: 0,
    credit: CREDIT_PER_SUCCESS,
    openMs: 0,
    share: 0,
    trickle: 1,
    lookedMs: nowMs,
    lastAdmittedMs: nowMs,
    lastDeniedMs: nowMs + quietMs,
  };
}

/** Whether whoever asks now may go. Asking counts: each one who asks adds to the share. */
export function lookAtRamp(ramp: Ramp, rampMs: number, nowMs: number): RampLook {
  const passedMs = nowMs - ramp.lookedMs;
  const trickle = Math.min(MOST_TRICKLE, ramp.trickle + (passedMs / 1000) * TRICKLE_PER_SECOND);
  const openMs = ramp.credit >= 1 ? ramp.openMs + passedMs : ramp.openMs;
  const share = Math.min(1, ramp.share + openMs / rampMs);
  const isFree = ramp.credit >= 1 && (trickle >= 1 || share >= 1);
  return {
    isFree,
    ramp: {
      ...ramp,
      trickle,
      lookedMs: nowMs,
      openMs,
      share,
      lastDeniedMs: isFree ? ramp.lastDeniedMs : Math.max(nowMs, ramp.lastDeniedMs),
    },
  };
}

export function rampAdmitted(ramp: Ramp, nowMs: number): Ramp {
  const isTrickle = ramp.trickle >= 1;
  return {
    ...ramp,
    credit: Math.max(0, ramp.credit - 1),
    trickle: isTrickle ? ramp.trickle - 1 : ramp.trickle,
    share: isTrickle ? ramp.share : Math.max(0, ramp.share - 1),
    lastAdmittedMs: nowMs,
  };
}

export function rampAfterSuccess(ramp: Ramp): Ramp {
  const credit = Math.min(MOST_CREDIT, ramp.credit + CREDIT_PER_SUCCESS);
  return { ...ramp, successes: ramp.successes + 1, failuresInRow: 0, credit };
}

export function rampAfterFailure(ramp: Ramp): Ramp {
  return {
    ...ramp,
    failures: ramp.failures + 1,
    failuresInRow: ramp.failuresInRow + 1,
    credit: Math.floor(ramp.credit / 2),
  };
}

/** More went wrong than well, or so many in a row as open the breaker at any time. */
export function hasRampFailed(ramp: Ramp, failures: number): boolean {
  return ramp.failures > ramp.successes || ramp.failuresInRow >= failures;
}

export function isRampOver(ramp: Ramp, rampMs: number, nowMs: number): boolean {
  return ramp.openMs >= rampMs || nowMs - ramp.lastDeniedMs >= CALM_MS;
}
