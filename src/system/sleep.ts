import { MAX_DELAY_MS } from "../kernel/decide/schedule-check.ts";
import { InvalidInput } from "../kernel/model/invalid-input.ts";

/**
 * Resolves after `ms` milliseconds (0 to 2^31-1); rejects with the signal's reason as soon as it aborts, at once if it
 * has. Timer and listener are gone either way. A value that makes no sense rejects with `InvalidInput`.
 */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    // A timer takes NaN, a negative or a too large delay as none at all: the wait would silently be a busy loop.
    if (typeof ms !== "number" || !(ms >= 0 && ms <= MAX_DELAY_MS)) {
      throw new InvalidInput("ms", ms, `a number of milliseconds from 0 to ${MAX_DELAY_MS}`);
    }
    if (signal !== undefined && typeof signal?.addEventListener !== "function") {
      throw new InvalidInput("signal", signal, "an AbortSignal");
    }
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const timer = setTimeout(wake, Math.ceil(ms));
    signal?.addEventListener("abort", abort);

    function wake(): void {
      signal?.removeEventListener("abort", abort);
      resolve();
    }
    function abort(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      reject(signal?.reason);
    }
  });
}
