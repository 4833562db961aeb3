import type { Ports, Watched } from "../kernel/model/ports.ts";
import type { Timer } from "./alarms.ts";

/** How often the watched are looked at. Limits are seconds to minutes, so a tenth of a second is fine enough. */
export const TICK_MS = 100;

/** A tick this many ticks after the one before comes from a process that was stopped, busy or hidden. */
const LATE_TICKS = 3;

export interface Ticker {
  /** Monotonic milliseconds. */
  now(): number;
  every(tick: () => void, ms: number): Timer;
  stop(timer: Timer): void;
  /** Whether the host's timers are others than those of the last `every`, so that it may never tick again. */
  isReplaced?(): boolean;
  /** Notified when nothing else keeps the process alive, on hosts that report it. */
  onIdle?(listener: () => void): void;
  offIdle?(listener: () => void): void;
}

type Watch = Pick<Ports, "watch" | "unwatch" | "roughNow">;

/** Looks the host's timers up at each call, because a test may put fake ones in their place and take them away again. */
function hostTicker(): Ticker {
  let set = setInterval;
  let clear = clearInterval;
  return {
    now: () => performance.now(),
    every(tick, ms) {
      set = setInterval;
      clear = clearInterval;
      return set(tick, ms);
    },
    stop: (timer) => clear(timer as number),
    isReplaced: () => set !== setInterval,
    // Holding the process by `ref` and `unref` for every call would cost as much as all the rest of the watch.
    onIdle: (listener) => void globalThis.process?.on?.("beforeExit", listener),
    offIdle: (listener) => void globalThis.process?.off?.("beforeExit", listener),
  };
}

/**
 * One coarse tick for all that are watched. A call or a token only writes a whole number: no timer is set or cleared and
 * no clock is read for it. The tick stops by itself when nothing is watched, and does not hold the process until then.
 */
export function createWatch(reportFault: Ports["reportFault"], ticker: Ticker = hostTicker()): Watch {
  /** The first `size` places are taken. Never shortened: growing again would cost more than the room. */
  const all: (Watched | undefined)[] = [];
  let size = 0;
  let timer: Timer | undefined;
  /** Ticks since the epoch of `now`. Whole numbers, because a fraction would cost an allocation for every call. */
  let ticks = 0;
  let hasWaited = false;
  /** Whether the tick keeps the process alive: only once nothing else does. */
  let isHeld = false;

  function watch(watched: Watched, limitMs: number): void {
    if (timer === undefined || ticker.isReplaced?.() === true) start();
    // The last tick is up to a tick ago, so one is added: late by two ticks at most, never early.
    watched.dueAt = ticks + Math.ceil(limitMs / TICK_MS) + 1;
    if (watched.place >= 0) return;
    watched.place = size;
    all[size++] = watched;
  }

  function unwatch(watched: Watched): number {
    const { place } = watched;
    if (place < 0) return 0;
    watched.place = -1;
    // The gap is filled with the last one, so that nothing has to move.
    const last = all[--size] as Watched;
    all[size] = undefined;
    if (last !== watched) {
      all[place] = last;
      last.place = place;
    }
    // Asked anew when the process would end: the others may all be paused.
    if (isHeld) hold(false);
    return Math.max(1, (watched.dueAt - ticks - 1) * TICK_MS);
  }

  function roughNow(): number {
    return (timer === undefined ? count() : ticks) * TICK_MS;
  }

  function start(): void {
    stop();
    ticks = count();
    timer = ticker.every(tick, TICK_MS);
    hold(false);
    ticker.onIdle?.(stayAlive);
  }

  function stop(): void {
    if (timer !== undefined) ticker.stop(timer);
    timer = undefined;
    ticker.offIdle?.(stayAlive);
  }

  /** The process would end now, though something is watched: a call that hangs without a socket must still time out. */
  function stayAlive(): void {
    if (isAwaited()) hold(true);
  }

  function isAwaited(): boolean {
    for (let place = 0; place < size; place++) if (all[place]?.isPaused !== true) return true;
    return false;
  }

  function hold(isWanted: boolean): void {
    isHeld = isWanted;
    if (typeof timer !== "object") return;
    if (isWanted) timer.ref?.();
    else timer.unref?.();
  }

  function count(): number {
    return Math.floor(ticker.now() / TICK_MS);
  }

  function tick(): void {
    if (size === 0) {
      stop();
      return;
    }
    const before = ticks;
    ticks = count();
    // What came in while the process was stopped or busy has not been heard yet: it gets one more tick. Only one, because
    // in a hidden page every tick is late.
    hasWaited = ticks - before > LATE_TICKS && !hasWaited;
    if (hasWaited) return;
    // From the end: an expired one is replaced by one that was checked already.
    for (let place = size - 1; place >= 0; place--) {
      const watched = all[place];
      if (watched === undefined || watched.dueAt > ticks) continue;
      unwatch(watched);
      expire(watched);
    }
    // One that pauses says nothing.
    if (isHeld && !isAwaited()) hold(false);
  }

  function expire(watched: Watched): void {
    try {
      watched.expire();
    } catch (fault) {
      reportFault(fault, "watch");
    }
  }

  return { watch, unwatch, roughNow };
}
