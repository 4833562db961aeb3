const WINDOW_SECONDS = 60;

/** How many lines ended in the last minute, in a number for each second. */
export class RateMeter {
  readonly #seconds = new Array<number>(WINDOW_SECONDS).fill(0);
  readonly #startMs: number;
  #second = 0;

  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  count(nowMs: number): void {
    const at = this.#forward(nowMs) % WINDOW_SECONDS;
    this.#seconds[at] = (this.#seconds[at] ?? 0) + 1;
  }

  /** Undefined in the first seconds, when it would be chance. */
  perMinute(nowMs: number): number | undefined {
    const second = this.#forward(nowMs);
    if (second < LEAST_SECONDS) return undefined;
    // The second that has just begun is left out.
    const now = this.#seconds[second % WINDOW_SECONDS] ?? 0;
    const counted = this.#seconds.reduce((sum, one) => sum + one, 0) - now;
    return (counted / Math.min(second, WINDOW_SECONDS - 1)) * 60;
  }

  #forward(nowMs: number): number {
    const second = Math.max(this.#second, Math.floor((nowMs - this.#startMs) / 1000));
    const passed = Math.min(second - this.#second, WINDOW_SECONDS);
    for (let n = 1; n <= passed; n++) this.#seconds[(this.#second + n) % WINDOW_SECONDS] = 0;
    this.#second = second;
    return second;
  }
}

const LEAST_SECONDS = 3;
