// Not the global one: a test may have replaced it with a fake timer, and the waits of a provider are real.
import { setTimeout } from "node:timers/promises";

/** Rejects as soon as the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeout(Math.ceil(ms), undefined, { signal });
}
