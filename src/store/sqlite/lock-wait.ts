import { StoreError } from "../store-error.ts";

/**
 * How long SQLite itself waits for another process, which blocks the event loop: long enough for a usual commit of that process. A
 * longer wait happens between tries.
 */
export const TRY_MS = 5;

const LONGEST_PAUSE_MS = 25;
/** After one wait in vain, the next write waits only this long: a conversation goes on while the lock lasts. */
const AGAIN_MS = 250;

/** Waits for the lock of another process in pauses between tries, so that timers, keys and streams go on. */
export class LockWait {
  readonly #mostMs: number;
  #sinceMs: number | undefined;
  #pauseMs = 0;
  #wasInVain = false;

  constructor(mostMs: number) {
    this.#mostMs = mostMs;
  }

  /** A try has found the file locked. Returns the pause before the next one; undefined: it has waited long enough. */
  next(): number | undefined {
    const nowMs = performance.now();
    this.#sinceMs ??= nowMs;
    const mostMs = this.#wasInVain ? Math.min(AGAIN_MS, this.#mostMs) : this.#mostMs;
    const leftMs = this.#sinceMs + mostMs - nowMs;
    if (leftMs <= 0) {
      this.#begin();
      this.#wasInVain = true;
      return undefined;
    }
    this.#pauseMs = Math.min(this.#pauseMs * 2 || 1, LONGEST_PAUSE_MS);
    return Math.min(this.#pauseMs, leftMs);
  }

  /** A try has gone through. */
  free(): void {
    this.#begin();
    this.#wasInVain = false;
  }

  #begin(): void {
    this.#sinceMs = undefined;
    this.#pauseMs = 0;
  }
}

export function isLocked(fault: unknown): boolean {
  return fault instanceof StoreError && fault.code === "locked";
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Does the work as soon as no other process holds the file. Rejects with `locked` if that takes too long. */
export async function whenUnlocked<T>(work: () => T, mostMs: number): Promise<T> {
  const wait = new LockWait(mostMs);
  for (;;) {
    try {
      return work();
    } catch (fault) {
      const pauseMs = isLocked(fault) ? wait.next() : undefined;
      if (pauseMs === undefined) throw fault;
      await pause(pauseMs);
    }
  }
}
