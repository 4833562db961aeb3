/** Tokens that a batch may use, and what lines under way will probably take: a line starts only if it still fits. */
export class TokenBudget {
  readonly #most: number;
  #used: number;
  #reserved = 0;
  #outputs = 0;
  #answers = 0;

  constructor(most: number, used: number) {
    this.#most = most;
    this.#used = used;
  }

  get used(): number {
    return this.#used;
  }

  /** What a line will take: its input as estimated, and an output as long as those so far, or as long as it may be. */
  estimate(inputTokens: number, maxTokens: number | undefined): number {
    const usual = this.#answers === 0 ? (maxTokens ?? inputTokens) : this.#outputs / this.#answers;
    return inputTokens + Math.min(usual, maxTokens ?? usual);
  }

  /** Whether a line fits. The first one always does, if anything is left. */
  hasRoom(tokens: number): boolean {
    const left = this.#most - this.#used - this.#reserved;
    return left > 0 && (tokens <= left || this.#reserved === 0);
  }

  /** Whether lines under way may still turn out shorter than estimated. */
  get isWaiting(): boolean {
    return this.#reserved > 0;
  }

  start(tokens: number): void {
    this.#reserved += tokens;
  }

  end(estimated: number, used: { readonly total: number; readonly output: number } | undefined): void {
    this.#reserved = Math.max(0, this.#reserved - estimated);
    if (used === undefined) return;
    this.#used += used.total;
    this.#outputs += used.output;
    this.#answers++;
  }
}
