/**
 * The way back after an outage, as a value. One good probe proves little: nine of ten calls may still get lost, and a
 * thousand generations wait behind it. So calls come back in step with answers, and as a growing share of those who ask.
 */
export interface Ramp {
  readonly sinceMs: number;
  readonly successes: number;
  readonly failures: number;
  /** Failures since the last success. */
  readonly failuresInRow: number;
  /** Calls that the answers so far have earned. */
  readonly credit: number;
  /** How long credit was to be had: the share does not grow while everyone waits for the first answers. */
  readonly openMs: number;
  /** What has gathered of the growing share; at 1 a call is let through. */
  readonly share: number;
  /** Calls that were let through and have not ended yet. */
  readonly underWay: number;
  /** Calls that may go whatever is under way: answers may take a minute, and a call should not wait for that. */
  readonly trickle: number;
  readonly lookedMs: number;
  /** How many were turned away. */
  readonly turnedAway: number;
  /** When a call was turned away last, or may still sleep because of an earlier denial. */
  readonly busyUntilMs: number;
}

/** Each answer earns three calls: the number of calls under way trebles in the time that an answer takes. */
const CREDIT_PER_SUCCESS = 3;
/** So many calls go out at most before one more answer has come. */
const MOST_CREDIT = 50;
/** With fewer calls than this under way every call may go: one user is no herd. */
const FEW = 5;
const TRICKLE_PER_SECOND = 5;
const MOST_TRICKLE = 5;
/** After this long without a denial no call waits any more. */
const CALM_MS = 3000;

/** `quietMs`: how long those who were held back before may still sleep; silence until then does not mean that the herd is gone. */
export function startRamp(nowMs: number, quietMs: number): Ramp {
  return {
    sinceMs: nowMs,
    successes: 1,
    failures: 0,
    failuresInRow: 0,
    credit: CREDIT_PER_SUCCESS,
    openMs: 0,
    share: 0,
    underWay: 0,
    trickle: 0,
    lookedMs: nowMs,
    turnedAway: 0,
    busyUntilMs: nowMs + quietMs,
  };
}

export function isRampOver(ramp: Ramp, rampMs: number, nowMs: number): boolean {
  return ramp.openMs >= rampMs || nowMs - ramp.busyUntilMs >= CALM_MS;
}

/** Whether a call that asks now may go. */
export function isRampFree(ramp: Ramp, rampMs: number, nowMs: number): boolean {
  if (ramp.underWay < FEW || trickleAt(ramp, nowMs) >= 1) return true;
  return ramp.credit >= 1 && shareAt(ramp, rampMs, nowMs) >= 1;
}

/** A call was let through: because few are under way, else from the trickle, else from the share. */
export function rampAfterAdmission(ramp: Ramp, rampMs: number, nowMs: number): Ramp {
  const trickle = trickleAt(ramp, nowMs);
  const isTrickle = ramp.underWay >= FEW && trickle >= 1;
  const isShare = ramp.underWay >= FEW && trickle < 1;
  return {
    ...ramp,
    openMs: openAt(ramp, nowMs),
    trickle: isTrickle ? trickle - 1 : trickle,
    share: isShare ? shareAt(ramp, rampMs, nowMs) - 1 : ramp.share,
    credit: Math.max(0, ramp.credit - 1),
    underWay: ramp.underWay + 1,
    lookedMs: nowMs,
  };
}

/** A call was turned away: that adds to the share, so that of all who ask a growing part is let through. */
export function rampAfterDenial(ramp: Ramp, rampMs: number, nowMs: number): Ramp {
  return {
    ...ramp,
    openMs: openAt(ramp, nowMs),
    trickle: trickleAt(ramp, nowMs),
    share: Math.min(1, shareAt(ramp, rampMs, nowMs)),
    lookedMs: nowMs,
    turnedAway: ramp.turnedAway + 1,
    busyUntilMs: Math.max(nowMs, ramp.busyUntilMs),
  };
}

export function rampAfterSuccess(ramp: Ramp): Ramp {
  const credit = Math.min(MOST_CREDIT, ramp.credit + CREDIT_PER_SUCCESS);
  return { ...ramp, successes: ramp.successes + 1, failuresInRow: 0, credit, underWay: oneLess(ramp) };
}

export function rampAfterFailure(ramp: Ramp): Ramp {
  return {
    ...ramp,
    failures: ramp.failures + 1,
    failuresInRow: ramp.failuresInRow + 1,
    credit: Math.floor(ramp.credit / 2),
    underWay: oneLess(ramp),
  };
}

/** A call ended without a verdict: its place goes to the next. */
export function rampAfterRelease(ramp: Ramp): Ramp {
  return { ...ramp, credit: Math.min(MOST_CREDIT, ramp.credit + 1), underWay: oneLess(ramp) };
}

/** More went wrong than well, or so many in a row as open a breaker at any time. */
export function hasRampFailed(ramp: Ramp, failures: number): boolean {
  return ramp.failures > ramp.successes || ramp.failuresInRow >= failures;
}

/** A call that a person sent was not counted when it went. */
function oneLess({ underWay }: Ramp): number {
  return Math.max(0, underWay - 1);
}

function trickleAt(ramp: Ramp, nowMs: number): number {
  return Math.min(MOST_TRICKLE, ramp.trickle + ((nowMs - ramp.lookedMs) / 1000) * TRICKLE_PER_SECOND);
}

function openAt(ramp: Ramp, nowMs: number): number {
  return ramp.credit >= 1 ? ramp.openMs + nowMs - ramp.lookedMs : ramp.openMs;
}

function shareAt(ramp: Ramp, rampMs: number, nowMs: number): number {
  return ramp.share + openAt(ramp, nowMs) / rampMs;
}
