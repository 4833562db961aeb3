import type { Ports, Sleeper, Watched } from "../../../kernel/index.ts";

/** A timer so much too late comes from a page that was hidden, frozen or asleep. */
const LATE_MS = 1000;
/** What came in while the page was frozen has not been heard yet: it gets this long. */
const CATCH_UP_MS = 250;

type Timer = ReturnType<typeof setTimeout>;

export type Alarms = Pick<Ports, "sleep" | "rouse">;

/**
 * Waits on the frame's own timers, one for each. A chat has a handful of generations at a time, so nothing has to be
 * shared, and nothing is left behind: whoever is roused takes its timer along.
 */
export function createAlarms(): Alarms {
  const timers = new Map<Sleeper, Timer>();

  function sleep(sleeper: Sleeper, delayMs: number): void {
    rouse(sleeper);
    const wholeMs = Math.ceil(delayMs);
    sleeper.wakeAtMs = Math.ceil(performance.now() + wholeMs);
    const timer = setTimeout(() => {
      timers.delete(sleeper);
      sleeper.wake();
    }, wholeMs);
    timers.set(sleeper, timer);
  }

  function rouse(sleeper: Sleeper): void {
    clearTimeout(timers.get(sleeper));
    timers.delete(sleeper);
  }

  return { sleep, rouse };
}

/** The watch over the one attempt that a generation has at a time. */
export interface Vigil extends Pick<Ports, "watch" | "unwatch"> {
  /** A sign of life that is no content: the limit that counts now counts anew. */
  sustain(): void;
}

/**
 * Exact to the millisecond, unlike the engine's shared tick: what is promised here is a moment ("stopped at 35 s"). A
 * token only moves the due time; the timer that is set already finds out when it fires.
 */
export function createVigil(): Vigil {
  let watched: Watched | undefined;
  let limitMs = 0;
  let dueMs = 0;
  let timer: Timer | undefined;
  let firesAtMs = 0;
  let hasCaughtUp = false;

  function watch(next: Watched, limit: number): void {
    watched = next;
    limitMs = limit;
    next.place = 0;
    sustain();
  }

  function sustain(): void {
    if (watched === undefined) return;
    dueMs = performance.now() + limitMs;
    hasCaughtUp = false;
    if (timer === undefined || firesAtMs > dueMs) arm(dueMs);
  }

  function unwatch(who: Watched): number {
    if (who !== watched) return 0;
    const leftMs = Math.max(1, dueMs - performance.now());
    watched = undefined;
    who.place = -1;
    clearTimeout(timer);
    timer = undefined;
    return leftMs;
  }

  function arm(atMs: number): void {
    clearTimeout(timer);
    firesAtMs = atMs;
    timer = setTimeout(fire, Math.ceil(Math.max(0, atMs - performance.now())));
  }

  function fire(): void {
    timer = undefined;
    if (watched === undefined) return;
    const lateMs = performance.now() - dueMs;
    if (lateMs < 0) return arm(dueMs);
    if (lateMs > LATE_MS && !hasCaughtUp) {
      hasCaughtUp = true;
      return arm(performance.now() + CATCH_UP_MS);
    }
    const expired = watched;
    unwatch(expired);
    expired.expire();
  }

  return { watch, unwatch, sustain };
}
