import type { Sleeper } from "../kernel/model/ports.ts";

/** So many gaps do not matter. */
const FEW_GAPS = 1024;

/**
 * Sleepers that come in the order in which they wake. One who leaves, from the head or from the middle, leaves a gap, so
 * that no other has to move.
 */
export class SleeperQueue {
  readonly #places: (Sleeper | undefined)[] = [];
  /** The arrival number of each. */
  readonly #arrivals: number[] = [];
  /** There are only gaps before it. */
  #first = 0;
  #size = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  get head(): Sleeper | undefined {
    return this.#places[this.#first];
  }

  get headArrival(): number {
    return this.#arrivals[this.#first] as number;
  }

  has(sleeper: Sleeper): boolean {
    return this.#places[sleeper.slot] === sleeper;
  }

  /** False: it wakes before one who is here. */
  join(sleeper: Sleeper, arrival: number): boolean {
    if (sleeper.wakeAtMs < this.#lastMs) return false;
    this.#lastMs = sleeper.wakeAtMs;
    sleeper.slot = this.#places.length;
    this.#places.push(sleeper);
    this.#arrivals.push(arrival);
    this.#size++;
    return true;
  }

  /** Takes out a sleeper that the queue has. */
  remove(sleeper: Sleeper): void {
    const places = this.#places;
    places[sleeper.slot] = undefined;
    sleeper.slot = -1;
    this.#size--;
    while (this.#first < places.length && places[this.#first] === undefined) this.#first++;
    if (this.#size === 0) this.#lastMs = Number.NEGATIVE_INFINITY;
    // Not before most places are gaps, so that each sleeper moves about once.
    const gaps = places.length - this.#size;
    if (gaps > FEW_GAPS && gaps > this.#size) this.#closeGaps();
  }

  #closeGaps(): void {
    let end = 0;
    for (let from = this.#first; from < this.#places.length; from++) {
      const sleeper = this.#places[from];
      if (sleeper === undefined) continue;
      sleeper.slot = end;
      this.#places[end] = sleeper;
      this.#arrivals[end] = this.#arrivals[from] as number;
      end++;
    }
    this.#places.length = end;
    this.#arrivals.length = end;
    this.#first = 0;
  }
}
