import type { Counted, Series } from "./tally.ts";

/** What a policy did to the provider and to its users. */
export interface Figures {
  /** Calls per generation, from the start of the outage to the end of the run. */
  readonly amplification: number;
  /** Calls in the busiest second after the outage, divided by the steady calls per second; after a burst, by the quota. */
  readonly peak: number;
  /** Seconds after the outage until the service is back to normal and stays there; null: not within the run. */
  readonly recoverySeconds: number | null;
  /** Share of the calls since the start of the outage whose answer came after the caller had given up. */
  readonly wasted: number;
  /** Share of the generations ended since the start of the outage that got no answer. */
  readonly failed: number;
  /** Seconds that a generation waited between calls, on average. */
  readonly waited: number;
}

/** Seconds from the start of the run. */
export interface Times {
  readonly steadyFrom: number;
  readonly outageFrom: number;
  readonly outageTo: number;
  /** How long the provider takes to full capacity after the outage; recovery counts from then. Default: 0. */
  readonly settle?: number;
  /** What peak and recovery are compared with. Default: what was measured in the steady state. */
  readonly usual?: Usual;
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

export function measure(series: Series, times: Times): Figures {
  const { outageFrom, outageTo } = times;
  const end = series.calls.length;
  const since = (name: Counted): number => sum(series[name], outageFrom, end);
  const ended = since("answered") + since("failed");
  const usual = times.usual ?? steadyState(series, times);
  return {
    amplification: ratio(since("calls"), since("offered")),
    peak: ratio(Math.max(0, ...series.calls.slice(outageTo)), usual.callsPerSecond),
    recoverySeconds: recovery(series, outageTo + (times.settle ?? 0), usual),
    wasted: ratio(since("wasted"), since("calls")),
    failed: ratio(since("failed"), ended),
    waited: ratio(sum(series.waiting, outageFrom, end), since("offered")),
  };
}

function steadyState(series: Series, { steadyFrom, outageFrom }: Times): Usual {
  const steady = (name: Counted): number => sum(series[name], steadyFrom, outageFrom);
  const seconds = outageFrom - steadyFrom;
  return {
    callsPerSecond: steady("calls") / seconds,
    answersPerSecond: steady("answered") / seconds,
    callMs: ratio(steady("callMs"), steady("callsAnswered")),
  };
}

/** The first second since `after` from which every window is back to normal: without a usual load, free of calls. */
function recovery(series: Series, after: number, { answersPerSecond, callMs }: Usual): number | null {
  const isNormal = (from: number): boolean => {
    const to = from + WINDOW;
    const answered = sum(series.callsAnswered, from, to);
    const lost = sum(series.rejected, from, to) + sum(series.cut, from, to) + sum(series.abandoned, from, to);
    return (
      sum(series.answered, from, to) >= ENOUGH_ANSWERS * answersPerSecond * WINDOW &&
      lost <= MOST_FAILURES * (answered + lost) &&
      sum(series.callMs, from, to) <= MOST_SLOWNESS * callMs * answered
    );
  };
  let good: number | null = null;
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
