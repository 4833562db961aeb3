/**
 * How many of the last calls were answered, as a value. It fades both by calls and by time: among many calls a few failures in
 * a row are chance, and for one user those of a minute ago say nothing about now.
 */
export interface Share {
  /** 0 to 1. */
  readonly answered: number;
  /** Failures since the last answer. */
  readonly failuresInRow: number;
  readonly lookedMs: number;
}

/** Before the first failure: everything was answered, at the usual rate. Where that is not known, nothing before counts. */
export function startShare(perSecond: number, nowMs: number): Share {
  return { answered: 1, failuresInRow: 0, lookedMs: nowMs - 1000 / perSecond };
}

/** The last outcome weighs at least this much, so about so many calls are remembered, */
const MOST_CALLS = 32;
/** and what is older than about this is not. */
const MEMORY_MS = 2000;
/** From here on nothing but answers is remembered. */
const ALMOST_ALL = 0.99;

export function shareAfterAnswer(share: Share, nowMs: number): Share {
  const { answered } = share;
  return { answered: answered + (1 - answered) * weightOf(share, nowMs), failuresInRow: 0, lookedMs: nowMs };
}

export function shareAfterFailure(share: Share, nowMs: number): Share {
  const { answered, failuresInRow } = share;
  const left = answered * (1 - weightOf(share, nowMs));
  return { answered: left, failuresInRow: failuresInRow + 1, lookedMs: nowMs };
}

/** Whether as good as nothing gets through: too few answers, and none among the last `failures` calls. */
export function isDown({ answered, failuresInRow }: Share, failures: number, leastShare: number): boolean {
  return failuresInRow >= failures && answered < leastShare;
}

/** Whether there is nothing left to remember. */
export function isForgotten({ answered }: Share): boolean {
  return answered > ALMOST_ALL;
}

function weightOf({ lookedMs }: Share, nowMs: number): number {
  return Math.max(1 / MOST_CALLS, 1 - Math.exp(-Math.max(0, nowMs - lookedMs) / MEMORY_MS));
}
