import type { Sleeper } from "../kernel/model/ports.ts";

/**
 * A binary heap of sleepers that writes each sleeper's place into the sleeper (`slot`), so that any of them can leave in
 * logarithmic time with no look-up and no extra object per sleeper.
 */
export class SleeperHeap {
  readonly #sleepers: Sleeper[] = [];
  /** The arrival number of each sleeper: equal moments keep their order. */
  readonly #arrivals: number[] = [];

  get head(): Sleeper | undefined {
    return this.#sleepers[0];
  }

  get headArrival(): number {
    return this.#arrivals[0] as number;
  }

  has(sleeper: Sleeper): boolean {
    return this.#sleepers[sleeper.slot] === sleeper;
  }

  push(sleeper: Sleeper, arrival: number): void {
    const slot = this.#sleepers.length;
    this.#sleepers.push(sleeper);
    this.#arrivals.push(arrival);
    this.#rise(slot, sleeper, arrival);
  }

  /** Takes out a sleeper that the heap has. */
  remove(sleeper: Sleeper): void {
    const slot = sleeper.slot;
    sleeper.slot = -1;
    const last = this.#sleepers.pop() as Sleeper;
    const lastArrival = this.#arrivals.pop() as number;
    if (last === sleeper) return;
    // The last one may belong above or below the place that has become free.
    if (this.#rise(slot, last, lastArrival) === slot) this.#sink(slot, last, lastArrival);
  }

  #rise(from: number, sleeper: Sleeper, arrival: number): number {
    const sleepers = this.#sleepers;
    const arrivals = this.#arrivals;
    const { wakeAtMs } = sleeper;
    let slot = from;
    while (slot > 0) {
      const above = (slot - 1) >> 1;
      const parent = sleepers[above] as Sleeper;
      const parentArrival = arrivals[above] as number;
      if (parent.wakeAtMs < wakeAtMs || (parent.wakeAtMs === wakeAtMs && parentArrival < arrival)) break;
      this.#put(slot, parent, parentArrival);
      slot = above;
    }
    this.#put(slot, sleeper, arrival);
    return slot;
  }

  #sink(from: number, sleeper: Sleeper, arrival: number): void {
    const sleepers = this.#sleepers;
    const arrivals = this.#arrivals;
    let slot = from;
    for (;;) {
      let below = 2 * slot + 1;
      if (below >= sleepers.length) break;
      if (
        below + 1 < sleepers.length &&
        this.#isBefore(below + 1, sleepers[below] as Sleeper, arrivals[below] as number)
      ) {
        below++;
      }
      if (!this.#isBefore(below, sleeper, arrival)) break;
      this.#put(slot, sleepers[below] as Sleeper, arrivals[below] as number);
      slot = below;
    }
    this.#put(slot, sleeper, arrival);
  }

  #isBefore(slot: number, other: Sleeper, otherArrival: number): boolean {
    const { wakeAtMs } = this.#sleepers[slot] as Sleeper;
    if (wakeAtMs !== other.wakeAtMs) return wakeAtMs < other.wakeAtMs;
    return (this.#arrivals[slot] as number) < otherArrival;
  }

  #put(slot: number, sleeper: Sleeper, arrival: number): void {
    this.#sleepers[slot] = sleeper;
    this.#arrivals[slot] = arrival;
    sleeper.slot = slot;
  }
}
