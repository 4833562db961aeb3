/** Collects changes and gives them on a few times a second: at once after a pause, then at most once in `everyMs`. */
export class Batches<T> {
  readonly #everyMs: number;
  readonly #give: (batch: readonly T[]) => void;
  readonly #waiting = new Set<T>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #gaveAtMs = Number.NEGATIVE_INFINITY;

  constructor(everyMs: number, give: (batch: readonly T[]) => void) {
    this.#everyMs = everyMs;
    this.#give = give;
  }

  /** Something that is added twice is given once. */
  add(item: T): void {
    this.#waiting.add(item);
    if (this.#timer !== undefined) return;
    const delayMs = Math.max(0, this.#gaveAtMs + this.#everyMs - performance.now());
    this.#timer = setTimeout(() => this.flush(), delayMs);
    // A pending batch must not keep the process alive.
    this.#timer.unref();
  }

  /** Gives on what has gathered. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.size === 0) return;
    const batch = [...this.#waiting];
    this.#waiting.clear();
    this.#gaveAtMs = performance.now();
    this.#give(batch);
  }
}
