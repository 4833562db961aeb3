import { MAX_DELAY_MS } from "../kernel/decide/schedule-check.ts";
import { InvalidInput } from "../kernel/model/invalid-input.ts";
import type { Ports, Sleeper } from "../kernel/model/ports.ts";
import { Sleepers } from "./sleepers.ts";

/** What a timer of the host may offer: Node's can let the process end, a browser's is a plain number. */
export type Timer = number | { ref?(): unknown; unref?(): unknown };

export interface Timers {
  /** Monotonic milliseconds. */
  now(): number;
  setTimer(fire: () => void, delayMs: number): Timer;
  clearTimer(timer: Timer): void;
}

export type Alarms = Pick<Ports, "sleep" | "rouse">;

// Looked up at each call, so that a test may put fake timers in place.
const HOST_TIMERS: Timers = {
  now: () => performance.now(),
  setTimer: (fire, delayMs) => setTimeout(fire, delayMs),
  clearTimer: (timer) => clearTimeout(timer as number),
};

/** A timer this far off its moment is no host's: a test has put fake timers in place, or has taken them away again. */
const OFF_MS = 1000;

/**
 * All sleepers behind one timer of the host.
 *
 * Nearly every sleeper is a watchdog that is roused soon after, so the timer is not touched for each: one that is set for
 * an earlier moment than needed is left alone, and finds out when it fires. Only an earlier newcomer sets it anew. While
 * there are no sleepers, the timer does not keep the process alive.
 */
export function createAlarms(reportFault: Ports["reportFault"], timers: Timers = HOST_TIMERS): Alarms {
  const sleepers = new Sleepers();
  let timer: Timer | null = null;
  /** The moment that the timer is set for, on the scale of `wakeAtMs`. */
  let firesAtMs = Number.POSITIVE_INFINITY;
  let isHeld = false;
  let isFiring = false;

  function sleep(sleeper: Sleeper, delayMs: number, nowMs = timers.now()): void {
    // With a NaN among them the sleepers could never be in order again.
    if (!(delayMs >= 0 && delayMs < Number.POSITIVE_INFINITY)) {
      throw new InvalidInput("delayMs", delayMs, "a finite number of milliseconds, 0 or more");
    }
    // Asleep already: the new moment takes the place of the old one.
    if (sleepers.has(sleeper)) sleepers.remove(sleeper);
    // A whole millisecond: a fraction would cost one object per sleeper.
    sleeper.wakeAtMs = Math.ceil(nowMs + delayMs);
    sleepers.push(sleeper);
    if (isFiring) return;
    if (sleeper.wakeAtMs < firesAtMs) arm(sleeper.wakeAtMs, nowMs);
    // A timer that was taken away does not fire any more.
    else if (firesAtMs < nowMs - OFF_MS) arm(sleepers.head?.wakeAtMs ?? nowMs, nowMs);
    else hold(true);
  }

  function rouse(sleeper: Sleeper): void {
    if (!sleepers.has(sleeper)) return;
    sleepers.remove(sleeper);
    if (sleepers.size === 0) hold(false);
  }

  function arm(atMs: number, nowMs: number): void {
    if (timer !== null) timers.clearTimer(timer);
    // Rounded up, because a timer takes whole milliseconds. A moment too far for a timer is reached in several steps.
    const delayMs = Math.min(Math.max(Math.ceil(atMs - nowMs), 0), MAX_DELAY_MS);
    // Not `nowMs + delayMs`, which is up to a millisecond later: each newcomer of the same moment would set the timer anew.
    firesAtMs = Math.min(atMs, nowMs + MAX_DELAY_MS);
    timer = timers.setTimer(fire, delayMs);
    isHeld = true;
  }

  /** Whether the timer keeps the process alive. */
  function hold(isWanted: boolean): void {
    if (isHeld === isWanted) return;
    isHeld = isWanted;
    if (typeof timer === "object") return void (isWanted ? timer?.ref?.() : timer?.unref?.());
    if (isWanted) return;
    // A browser's timer is cheap to set again, and a script that is idle should have none.
    timers.clearTimer(timer);
    timer = null;
    firesAtMs = Number.POSITIVE_INFINITY;
  }

  function fire(): void {
    const setForMs = firesAtMs;
    timer = null;
    firesAtMs = Number.POSITIVE_INFINITY;
    isHeld = false;
    isFiring = true;
    try {
      const nowMs = timers.now();
      // Fake timers that leave the clock as it is: by the clock, no wait would end.
      wakeDue(nowMs < setForMs - OFF_MS ? setForMs : nowMs);
    } finally {
      isFiring = false;
      const { head } = sleepers;
      if (head !== undefined) arm(head.wakeAtMs, timers.now());
    }
  }

  function wakeDue(nowMs: number): void {
    // Sleepers added during this round run in the next one, even with no delay; otherwise two could keep this loop running forever.
    const { arrivals } = sleepers;
    for (let { head } = sleepers; head !== undefined; { head } = sleepers) {
      // A host's timer may fire a little early; no sleeper is woken early.
      if (head.wakeAtMs > nowMs || sleepers.headArrival >= arrivals) return;
      sleepers.remove(head);
      wake(head);
    }
  }

  function wake(sleeper: Sleeper): void {
    try {
      sleeper.wake();
    } catch (fault) {
      reportFault(fault, "alarms");
    }
  }

  return { sleep, rouse };
}
