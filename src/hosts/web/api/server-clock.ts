/**
 * The server's clock, which waits are counted by: the clock of this computer may be wrong, or set while a wait runs. Every moment that
 * the server names is a lower bound of its time now, so the best estimate is the largest; what arrives late, such as a replayed
 * event, does no harm. Time passes by the monotonic clock of the page.
 */
export class ServerClock {
  readonly #monotonic: () => number;
  #aheadMs: number | undefined;

  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  /** Epoch milliseconds. Before the first response: this computer's time. */
  now(): number {
    return this.#aheadMs === undefined ? Date.now() : this.#monotonic() + this.#aheadMs;
  }

  /** It was this time or later on the server when the message left it. */
  heard(atMs: number): void {
    if (!Number.isFinite(atMs)) return;
    const aheadMs = atMs - this.#monotonic();
    if (this.#aheadMs === undefined || aheadMs > this.#aheadMs) this.#aheadMs = aheadMs;
  }

  /** A `Date` header, in whole seconds, of a response to a request that was sent at `sentMs` of the monotonic clock. */
  heardDate(header: string | null, sentMs: number): void {
    const atMs = Date.parse(header ?? "");
    if (Number.isNaN(atMs)) return;
    // Later than the response can be: the server's clock was set back.
    if (this.#aheadMs !== undefined && sentMs + this.#aheadMs > atMs + 1000) this.#aheadMs = undefined;
    this.heard(atMs);
  }
}

export const serverClock = new ServerClock();
