/** How long one round of the event loop may work for those that share it. */
const ROUND_MS = 8;
/** So many go on at once in a round: calls that follow each other directly have not worked yet, so the clock knows nothing of them. */
const MOST_AT_ONCE = 4;
/** Released in one round if they are all quick. */
const MOST_A_ROUND = 64;

type Resume = () => void;

/**
 * Shares the event loop among the generations of this process. Hundreds of answers may become readable in one round, or hundreds of
 * waits end in it, and Node works each through before it looks at the next: together that takes a good part of a second, in
 * which no timer fires and no request is accepted.
 */
export class FairTurn {
  readonly #now: () => number;
  /** When the first one of this round went on. */
  #since: number | undefined;
  #isRoundOpen = false;
  #atOnce = 0;
  readonly #starting: Resume[] = [];
  readonly #waiting: Resume[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Undefined: go on at once. Otherwise it resolves in a later round, in the order of the calls, but what starts goes before what
   * goes on: the rest of an answer that has to wait arrives in fewer and larger pieces.
   */
  take(step: "start" | "go on"): Promise<void> | undefined {
    if (!this.#isRoundOpen) this.#openRound();
    if (this.#length === 0 && this.#atOnce < MOST_AT_ONCE && this.#hasTime()) {
      this.#atOnce += 1;
      return undefined;
    }
    return new Promise((resume) => (step === "start" ? this.#starting : this.#waiting).push(resume));
  }

  get #length(): number {
    return this.#starting.length + this.#waiting.length;
  }

  #hasTime(): boolean {
    const now = this.#now();
    this.#since ??= now;
    return now - this.#since < ROUND_MS;
  }

  #openRound(): void {
    this.#isRoundOpen = true;
    this.#since = undefined;
    this.#atOnce = 0;
    // Each in an immediate of its own: Node finishes what follows from one before it runs the next.
    for (let n = Math.min(this.#length, MOST_A_ROUND); n > 0; n--) setImmediate(() => this.#release());
    setImmediate(() => {
      if (this.#length > 0) this.#openRound();
      else this.#isRoundOpen = false;
    });
  }

  #release(): void {
    if (this.#hasTime()) (this.#starting.shift() ?? this.#waiting.shift())?.();
  }
}

/** One event loop, one share. */
export const fairTurn = new FairTurn();
