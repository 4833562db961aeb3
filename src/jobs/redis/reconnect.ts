/** A connection that broke is tried again after at most this long. */
export const LONGEST_PAUSE_MS = 2000;

/** Jittered: many workers must not come back at once. */
export function reconnectPauseMs(times: number): number {
  return Math.min(50 * 2 ** Math.min(times, 10), LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
}
