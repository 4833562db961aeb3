import type { Timers } from "../../src/system/alarms.ts";

interface VirtualTimer {
  readonly atMs: number;
  readonly fire: () => void;
  isHeld: boolean;
  ref(): void;
  unref(): void;
}

/** Timers that a test drives by hand, and a log of what was asked of them. */
export function virtualTimers(earlyMs = 0) {
  let nowMs = 0;
  const pending = new Set<VirtualTimer>();
  const asked = { set: [] as number[], cleared: 0 };

  const timers: Timers = {
    now: () => nowMs,
    setTimer(fire, delayMs) {
      asked.set.push(delayMs);
      const timer: VirtualTimer = {
        atMs: nowMs + Math.max(delayMs - earlyMs, 0),
        fire,
        isHeld: true,
        ref: () => {
          timer.isHeld = true;
        },
        unref: () => {
          timer.isHeld = false;
        },
      };
      pending.add(timer);
      return timer;
    },
    clearTimer(timer) {
      asked.cleared++;
      pending.delete(timer as VirtualTimer);
    },
  };

  function next(): VirtualTimer | undefined {
    return [...pending].sort((one, other) => one.atMs - other.atMs)[0];
  }

  return {
    timers,
    asked,
    /** How many timers there are, and how many of them keep the process alive. */
    counts: () => ({ pending: pending.size, held: [...pending].filter((timer) => timer.isHeld).length }),
    /** Lets time pass, firing each timer at its moment. */
    advance(byMs: number): void {
      const endMs = nowMs + byMs;
      for (let timer = next(); timer !== undefined && timer.atMs <= endMs; timer = next()) {
        // A little later than before even if it fires early, else an early timer would stand still.
        nowMs = Math.max(nowMs + (earlyMs > 0 ? 0.25 : 0), timer.atMs);
        pending.delete(timer);
        timer.fire();
      }
      nowMs = Math.max(nowMs, endMs);
    },
  };
}

export type VirtualTimers = ReturnType<typeof virtualTimers>;
