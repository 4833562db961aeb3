import type { Sleeper } from "../kernel/model/ports.ts";
import { SleeperHeap } from "./sleeper-heap.ts";
import { SleeperQueue } from "./sleeper-queue.ts";

/**
 * Sleepers in order of their moment, those of the same moment in order of their coming. After an outage most wait equally
 * long, so they wake in the order in which they come, and a queue is enough; only one who wakes earlier needs the heap.
 */
export class Sleepers {
  readonly #queue = new SleeperQueue();
  readonly #heap = new SleeperHeap();
  #size = 0;
  #arrivals = 0;

  get head(): Sleeper | undefined {
    return this.#isQueueNext() ? this.#queue.head : this.#heap.head;
  }

  get size(): number {
    return this.#size;
  }

  /** How many were ever added: distinguishes new sleepers from earlier ones. */
  get arrivals(): number {
    return this.#arrivals;
  }

  /** When the head came, on the scale of `arrivals`. */
  get headArrival(): number {
    return this.#isQueueNext() ? this.#queue.headArrival : this.#heap.headArrival;
  }

  has(sleeper: Sleeper): boolean {
    return sleeper.slot >= 0 && (this.#queue.has(sleeper) || this.#heap.has(sleeper));
  }

  push(sleeper: Sleeper): void {
    const arrival = this.#arrivals++;
    this.#size++;
    if (!this.#queue.join(sleeper, arrival)) this.#heap.push(sleeper, arrival);
  }

  /** Takes out a sleeper that is here. */
  remove(sleeper: Sleeper): void {
    this.#size--;
    if (this.#queue.has(sleeper)) this.#queue.remove(sleeper);
    else this.#heap.remove(sleeper);
  }

  #isQueueNext(): boolean {
    const queued = this.#queue.head;
    const { head } = this.#heap;
    if (queued === undefined || head === undefined) return head === undefined;
    if (queued.wakeAtMs !== head.wakeAtMs) return queued.wakeAtMs < head.wakeAtMs;
    return this.#queue.headArrival < this.#heap.headArrival;
  }
}
