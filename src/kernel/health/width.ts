/** Calls at the same time: additive increase, multiplicative decrease, with a memory of where the limit was. */
export interface Width {
  /** How many are allowed; parts of a call are saved up. */
  readonly calls: number;
  readonly most: number;
  /** What was too much the last time; Infinity: nothing has been, or it is long past. */
  readonly ceiling: number;
  /** Calls that started before this have been counted already. */
  readonly changedMs: number;
  /** Refusals since the last answer. */
  readonly inRow: number;
}

/** While no limit is known, each answer adds this much of a call: with every round of answers half as many again. */
const FAST = 0.5;
/** Near the known limit a call more is tried after so many answers: then one refusal in two hundred finds out. */
const CAREFUL = 1 / 200;
/** So far above the last limit it no longer counts. */
const PAST = 1.25;
/** Two in a row: a single one may be chance. */
const IN_ROW = 2;
const DECREASE = 0.7;

export function widthOf(first: number, most: number): Width {
  return {
    calls: Math.min(first, most),
    most,
    ceiling: Number.POSITIVE_INFINITY,
    changedMs: Number.NEGATIVE_INFINITY,
    inRow: 0,
  };
}

/** `wasFull`: there was no place for one more. A limit that is not felt does not grow. */
export function widthAfterAnswer(width: Width, wasFull: boolean): Width {
  if (!wasFull) return width.inRow === 0 ? width : { ...width, inRow: 0 };
  const { calls, most, ceiling } = width;
  const isPast = calls > ceiling * PAST;
  const step = calls < ceiling - 1 || isPast ? FAST : CAREFUL;
  return {
    ...width,
    calls: Math.min(most, calls + step),
    ceiling: isPast ? Number.POSITIVE_INFINITY : ceiling,
    inRow: 0,
  };
}

interface When {
  readonly startedMs: number;
  readonly nowMs: number;
}

/** `others`: the calls under way beside it, which were accepted. */
export function widthAfterRefusal(width: Width, others: number, { startedMs, nowMs }: When): Width {
  if (startedMs < width.changedMs) return width;
  const inRow = width.inRow + 1;
  if (inRow < IN_ROW) return { ...width, inRow };
  const calls = Math.max(1, Math.min(width.calls, Math.max(others, width.calls * DECREASE)));
  return { ...width, calls, ceiling: Math.max(2, Math.min(width.calls, others + 1)), changedMs: nowMs, inRow: 0 };
}
