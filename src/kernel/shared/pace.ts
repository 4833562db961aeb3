/** How long news may be gathered before it is sent, in ms. Everyone hears everyone, so with many processes each one speaks less often. */
export interface Pace {
  /** A cooldown, a breaker that changes, calls on the way back. */
  readonly urgentMs: number;
  /** Failures. */
  readonly soonMs: number;
  /** Calls that go as usual, and a sign of life. */
  readonly usualMs: number;
}

export function paceFor(processes: number): Pace {
  return {
    urgentMs: Math.min(25, Math.max(2, processes / 4)),
    soonMs: Math.min(200, Math.max(20, processes)),
    usualMs: Math.min(2000, Math.max(100, processes * 5)),
  };
}

/** A process that was not heard of for so many times its usual pace, and this long, is gone. */
const LOST_TIMES = 4;
const LOST_MS = 3000;

export function lostAfterMs({ usualMs }: Pace): number {
  return Math.max(LOST_MS, usualMs * LOST_TIMES);
}
