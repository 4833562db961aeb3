import { setTimeout as sleep } from "node:timers/promises";

const FIRST_MS = 100;
const LONGEST_MS = 3000;
const FORGET_MS = 60_000;

/**
 * Slows down answers to wrong keys, the more the more there are. A right key is never slowed down: nobody can lock others out by
 * guessing, and a key is too long to be guessed at any speed.
 */
export class WrongKeys {
  readonly #mostWaiting: number;
  #recent = 0;
  #lastAt = 0;
  #waiting = 0;

  constructor(mostWaiting: number) {
    this.#mostWaiting = mostWaiting;
  }

  /** False: too many are waiting already, answer at once with 429. */
  async slowDown(): Promise<boolean> {
    const now = Date.now();
    if (now - this.#lastAt > FORGET_MS) this.#recent = 0;
    this.#lastAt = now;
    if (this.#waiting >= this.#mostWaiting) return false;
    const delayMs = Math.min(FIRST_MS * 2 ** Math.min(this.#recent, 10), LONGEST_MS);
    this.#recent += 1;
    this.#waiting += 1;
    // Must not hold up the end of the process.
    await sleep(delayMs, undefined, { ref: false });
    this.#waiting -= 1;
    return true;
  }
}
