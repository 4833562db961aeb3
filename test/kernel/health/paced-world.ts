import {
  askPace,
  newPace,
  type Pace,
  paceAfterAcceptance,
  paceAfterAnswer,
  paceAfterLimits,
  paceAfterLook,
  paceAfterRefusal,
  paceAfterStart,
  paceFreeInMs,
} from "../../../src/kernel/health/pace.ts";
import { createRandom, drawExponential, type Random } from "../../../src/simulator/world/random.ts";

/** What an endpoint does with a call. */
interface Reply {
  readonly isAccepted: boolean;
  readonly hintMs?: number;
  readonly remaining?: number;
  readonly resetMs?: number;
}

export type Limiter = (nowMs: number, underWay: number) => Reply;

interface WindowOptions {
  readonly hasHint?: boolean;
  readonly hasHeaders?: boolean;
}

/** So many calls in each window, as most endpoints count. */
export function windowLimit(
  limit: number,
  windowMs: number,
  { hasHint = true, hasHeaders = false }: WindowOptions = {},
): Limiter {
  let window = -1;
  let used = 0;
  return (nowMs) => {
    const current = Math.floor(nowMs / windowMs);
    if (current !== window) [window, used] = [current, 0];
    const leftMs = (current + 1) * windowMs - nowMs;
    if (used >= limit) return { isAccepted: false, ...(hasHint && { hintMs: leftMs }) };
    used++;
    return { isAccepted: true, ...(hasHeaders && { remaining: limit - used, resetMs: leftMs }) };
  };
}

/** A bucket that fills all the time and is full in the beginning. */
export function bucketLimit(
  perSecond: number,
  size: number,
  { hasHint = true, hasHeaders = false }: WindowOptions = {},
): Limiter {
  let tokens = size;
  let lookedMs = 0;
  return (nowMs) => {
    tokens = Math.min(size, tokens + ((nowMs - lookedMs) / 1000) * perSecond);
    lookedMs = nowMs;
    if (tokens < 1) return { isAccepted: false, ...(hasHint && { hintMs: ((1 - tokens) / perSecond) * 1000 }) };
    tokens--;
    const resetMs = ((size - tokens) / perSecond) * 1000;
    return { isAccepted: true, ...(hasHeaders && { remaining: Math.floor(tokens), resetMs }) };
  };
}

/** Refuses a share of the calls, whatever the load. */
export function noise(share: number, random: Random, hintMs?: number): Limiter {
  return () =>
    random() < share ? { isAccepted: false, ...(hintMs !== undefined && { hintMs }) } : { isAccepted: true };
}

interface RunOptions {
  readonly calls: number;
  readonly answerMs?: number;
  readonly processes?: number;
  readonly most?: number;
  readonly seed?: number;
}

export interface PacedRun {
  readonly seconds: number;
  readonly perSecond: number;
  readonly refusedShare: number;
  readonly mostUnderWay: number;
}

const REFUSAL_MS = 20;
const MOST_MS = 10 * 3_600_000;

/** A batch against an endpoint in virtual time, each process with a pace of its own. Throws if it gets stuck. */
export function runPaced(limiter: Limiter, options: RunOptions): PacedRun {
  const { calls, answerMs = 500, processes = 1, most = 100, seed = 1 } = options;
  const random = createRandom(seed, 3);
  const events: { readonly atMs: number; readonly run: () => void }[] = [];
  const paces: Pace[] = Array.from({ length: processes }, () => newPace({ first: 4, most }));
  const isArmed = paces.map(() => false);
  const count = { todo: calls, done: 0, made: 0, refused: 0, underWay: 0, mostUnderWay: 0 };
  let nowMs = 0;
  const after = (ms: number, run: () => void): void => {
    const atMs = nowMs + ms;
    let place = events.length;
    while (place > 0 && (events[place - 1]?.atMs ?? 0) > atMs) place--;
    events.splice(place, 0, { atMs, run });
  };
  const change = (process: number, next: (pace: Pace) => Pace): void => {
    paces[process] = next(paces[process] as Pace);
  };
  const start = (process: number): void => {
    const startedMs = nowMs;
    const { isAccepted, hintMs, remaining, resetMs } = limiter(nowMs, count.underWay);
    count.made++;
    change(process, paceAfterStart);
    if (isAccepted) {
      count.mostUnderWay = Math.max(count.mostUnderWay, ++count.underWay);
      after(REFUSAL_MS, () => change(process, (pace) => paceAfterAcceptance(pace, startedMs, nowMs)));
      after(REFUSAL_MS + answerMs / 2 + drawExponential(random, answerMs / 2), () => {
        count.underWay--;
        count.done++;
        if (remaining !== undefined && resetMs !== undefined) {
          change(process, (pace) => paceAfterLimits(pace, { requests: { remaining, resetMs } }, 0, nowMs));
        }
        change(process, (pace) => paceAfterAnswer(pace, startedMs, nowMs));
        feed(process);
      });
      return;
    }
    after(REFUSAL_MS, () => {
      count.refused++;
      const of = hintMs === undefined ? "either" : "rate";
      change(process, (pace) => paceAfterRefusal(pace, { of, startedMs, hintMs }, nowMs));
      after(hintMs ?? 500 + random() * 2000, () => retry(process));
      feed(process);
    });
  };
  const ask = (process: number): number => {
    const { pace, waitMs } = askPace(paces[process] as Pace, nowMs);
    change(process, () => pace);
    return waitMs;
  };
  const retry = (process: number): void => {
    const waitMs = ask(process);
    if (waitMs > 0) after(waitMs, () => retry(process));
    else start(process);
  };
  const feed = (process: number): void => {
    while (count.todo > 0) {
      const waitMs = paceFreeInMs(paces[process] as Pace, nowMs);
      if (waitMs === 0 && ask(process) === 0) {
        count.todo--;
        start(process);
        continue;
      }
      change(process, (pace) => paceAfterLook(pace, nowMs));
      if (isArmed[process] === true) return;
      isArmed[process] = true;
      return after(Math.ceil(Math.max(1, waitMs)), () => {
        isArmed[process] = false;
        feed(process);
      });
    }
  };
  for (let process = 0; process < processes; process++) feed(process);
  while (count.done < calls) {
    const next = events.shift();
    if (next === undefined || nowMs > MOST_MS)
      throw new Error(`Stuck after ${nowMs} ms: ${count.done} of ${calls} done`);
    nowMs = Math.max(nowMs, next.atMs);
    next.run();
  }
  const seconds = nowMs / 1000;
  return {
    seconds,
    perSecond: calls / seconds,
    refusedShare: count.refused / count.made,
    mostUnderWay: count.mostUnderWay,
  };
}
