import type { BreakerSpec } from "../model/policy.ts";

/**
 * How many of the last calls were answered, as a value. It fades both by calls and by time: among many calls a few failures in
 * a row are chance, and for one user those of a minute ago say nothing about now.
 */
export interface Share {
  /** 0 to 1. */
  readonly answered: number;
  /** About how many calls it remembers. */
  readonly calls: number;
  /** Failures since the last answer, and when the first of them was. */
  readonly failuresInRow: number;
  readonly rowSinceMs: number;
  /** Never goes back: answers come with the coarse clock, and the next failure would count for the time between the clocks. */
  readonly lookedMs: number;
}

/** As many calls as usually come in a second, but no fewer and no more than this, are remembered; */
const LEAST_CALLS = 8;
const MOST_CALLS = 32;
/** what is older than about this is not. */
const MEMORY_MS = 1000;
/** Calls that started together fail together: failures of the same moment show no more than one. */
const MOMENT_MS = 5;
/** From here on nothing but answers is remembered. */
const ALMOST_ALL = 0.99;

/** Before the first failure: everything was answered, at the usual rate. Where that is not known, nothing before counts. */
export function startShare(perSecond: number, nowMs: number): Share {
  const calls = callsFor(perSecond);
  return { answered: 1, calls, failuresInRow: 0, rowSinceMs: nowMs, lookedMs: nowMs - 1000 / perSecond };
}

/** The same with what is usual by now. */
export function withUsual(share: Share, perSecond: number): Share {
  return { ...share, calls: callsFor(perSecond) };
}

function callsFor(perSecond: number): number {
  return Math.min(MOST_CALLS, Math.max(LEAST_CALLS, perSecond));
}

export function shareAfterAnswer(share: Share, nowMs: number): Share {
  const { answered, calls } = share;
  const more = (1 - answered) * weightOf(share, nowMs);
  return {
    answered: answered + more,
    calls,
    failuresInRow: 0,
    rowSinceMs: nowMs,
    lookedMs: Math.max(share.lookedMs, nowMs),
  };
}

export function shareAfterFailure(share: Share, nowMs: number): Share {
  const { answered, calls, failuresInRow } = share;
  // Where nothing is known of earlier calls, there is no moment in which they were answered.
  const startMs = Number.isFinite(share.lookedMs) ? nowMs : share.lookedMs;
  const rowSinceMs = failuresInRow === 0 ? startMs : share.rowSinceMs;
  const left = answered * (1 - weightOf(share, nowMs));
  return {
    answered: left,
    calls,
    failuresInRow: failuresInRow + 1,
    rowSinceMs,
    lookedMs: Math.max(share.lookedMs, nowMs),
  };
}

/**
 * Whether as good as nothing gets through: too few answers, and none among the last `failures` calls. `pending`: calls whose outcome is
 * still to come, where nothing is known of earlier ones. The errors of a burst come before its answers, so half as many must have failed.
 */
export function isDown(share: Share, { failures, leastShare }: BreakerSpec, pending = 0): boolean {
  const { answered, failuresInRow, rowSinceMs, lookedMs } = share;
  const isMoment = failures > 1 && lookedMs - rowSinceMs < MOMENT_MS;
  return failuresInRow >= Math.max(failures, pending / 2) && answered < leastShare && !isMoment;
}

/** Whether there is nothing left to remember. */
export function isForgotten({ answered }: Share): boolean {
  return answered > ALMOST_ALL;
}

function weightOf({ calls, lookedMs }: Share, nowMs: number): number {
  return Math.max(1 / calls, 1 - Math.exp(-Math.max(0, nowMs - lookedMs) / MEMORY_MS));
}
