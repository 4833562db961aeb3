import type { AnswerCounts } from "./answer-times.ts";
import type { Counted, Series } from "./tally.ts";

/** What the figures of a run are made of. From the start of the outage to the end of the run, unless the name says otherwise. */
export interface Measured {
  readonly calls: number;
  readonly offered: number;
  readonly answered: number;
  readonly failed: number;
  readonly wasted: number;
  /** Seconds that generations waited between calls, all together. */
  readonly waiting: number;
  readonly answeredInOutage: number;
  /** The answers that the provider could give during the outage; 0: none, or it means nothing here. */
  readonly couldGive: number;
  readonly answers: AnswerCounts;
  /** As in `Figures`. */
  readonly peak: number | null;
  readonly recoverySeconds: number | null;
}

/** Seconds from the start of the run. */
export interface Times {
  readonly steadyFrom: number;
  readonly outageFrom: number;
  readonly outageTo: number;
  /** How long the provider takes to full capacity after the outage; recovery counts from then. Default: 0. */
  readonly settle?: number;
}

export interface MeasureInput {
  readonly series: Series;
  readonly times: Times;
  /** Generations started since the start of the outage. */
  readonly answers: AnswerCounts;
  /** Whether peak and recovery are more than chance. */
  readonly hasPeak: boolean;
  /** What peak and recovery are compared with. Default: what was measured in the steady state. */
  readonly usual?: Usual;
  /** The answers that the provider could give during the outage at this rate of requests. Default: none. */
  readonly couldGive?: (steadyPerSecond: number) => number;
}

/** A service without an outage. */
export interface Usual {
  readonly callsPerSecond: number;
  readonly answersPerSecond: number;
  /** How long a call takes. */
  readonly callMs: number;
}

/** Back to normal means, over this many seconds: */
const WINDOW = 5;
/** at least this share of the usual answers (400 in 5 s vary by 5 % by chance, so a drop by a fifth hardly ever is chance), */
const ENOUGH_ANSWERS = 0.8;
/** at most this share of failed calls (one in 150 exceeds the time limit even without an outage), */
const MOST_FAILURES = 0.05;
/** and calls that take at most this many times as long as usual. */
const MOST_SLOWNESS = 1.5;

export function measure(input: MeasureInput): Measured {
  const { series, times, hasPeak, answers } = input;
  const { steadyFrom, outageFrom, outageTo, settle = 0 } = times;
  const end = series.calls.length;
  const since = (name: Counted): number => sum(series[name], outageFrom, end);
  const usual = input.usual ?? steadyState(series, times);
  const steadyPerSecond = sum(series.offered, steadyFrom, outageFrom) / (outageFrom - steadyFrom);
  return {
    calls: since("calls"),
    offered: since("offered"),
    answered: since("answered"),
    failed: since("failed"),
    wasted: since("wasted"),
    waiting: sum(series.waiting, outageFrom, end),
    answeredInOutage: sum(series.answered, outageFrom, outageTo),
    couldGive: input.couldGive?.(steadyPerSecond) ?? 0,
    answers,
    peak: hasPeak ? ratio(Math.max(0, ...series.calls.slice(outageTo)), usual.callsPerSecond) : null,
    recoverySeconds: hasPeak ? recovery(series, outageTo + settle, usual) : null,
  };
}

function steadyState(series: Series, { steadyFrom, outageFrom }: Times): Usual {
  const steady = (name: Counted): number => sum(series[name], steadyFrom, outageFrom);
  const seconds = outageFrom - steadyFrom;
  return {
    callsPerSecond: steady("calls") / seconds,
    answersPerSecond: steady("answered") / seconds,
    callMs: ratio(steady("callMs"), steady("callsTimed")),
  };
}

/** The first second since `after` from which every window is back to normal: without a usual load, free of calls. */
function recovery(series: Series, after: number, { answersPerSecond, callMs }: Usual): number {
  const isNormal = (from: number): boolean => {
    const to = from + WINDOW;
    const answered = sum(series.callsAnswered, from, to);
    const lost = sum(series.rejected, from, to) + sum(series.cut, from, to) + sum(series.abandoned, from, to);
    return (
      sum(series.answered, from, to) >= ENOUGH_ANSWERS * answersPerSecond * WINDOW &&
      lost <= MOST_FAILURES * (answered + lost) &&
      sum(series.callMs, from, to) <= MOST_SLOWNESS * callMs * sum(series.callsTimed, from, to)
    );
  };
  let good = Number.POSITIVE_INFINITY;
  for (let from = series.calls.length - WINDOW; from >= after && isNormal(from); from--) good = from - after;
  return good;
}

function sum(numbers: readonly number[], from: number, to: number): number {
  let total = 0;
  for (let at = from; at < to; at++) total += numbers[at] ?? 0;
  return total;
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
