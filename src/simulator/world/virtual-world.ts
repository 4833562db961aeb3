import type { Ports, Sleeper } from "../../kernel/index.ts";
import { createAbortFanout } from "../../system/index.ts";
import { Sleepers } from "../../system/sleepers.ts";
import { createRandom } from "./random.ts";
import { WatchList } from "./watch-list.ts";

/** Where virtual wall clocks start: a date that is easy to recognise in a log. */
const EPOCH_MS = Date.UTC(2026, 0, 1);

/**
 * Promise turns between two events. The engine needs one from the settled call to its decision and at most four more until
 * the caller's `await` continues; the rest is room for code around it.
 */
const USUAL_TURNS = 8;
/** How often a long run gives way to the event loop, for signals and the progress bar. */
const USUAL_EVENTS_PER_BREAK = 5000;

interface WorldOptions {
  readonly seed?: number;
  /** Promise turns between two events; more for long chains of `await` in scripted code. */
  readonly turns?: number;
  /** Events after which the real event loop gets its turn. Default 5,000. */
  readonly eventsPerBreak?: number;
}

/** A callback of the world itself that runs later. */
class Alarm implements Sleeper {
  wakeAtMs = 0;
  slot = -1;
  readonly wake: () => void;

  constructor(wake: () => void) {
    this.wake = wake;
  }
}

/**
 * Virtual time, which jumps from event to event: one heap holds everything that waits, so hours pass in milliseconds. Nothing
 * comes from outside, so the same seed gives the same sequence of events.
 */
export class VirtualWorld {
  readonly ports: Ports;
  /** What the engine reported through `reportFault`. */
  readonly faults: { readonly fault: unknown; readonly where: string }[] = [];
  /** Set it to end the run early. */
  isStopped = false;
  #nowMs = 0;
  #events = 0;
  #ids = 0;
  readonly #turns: number;
  readonly #eventsPerBreak: number;
  readonly #heap = new Sleepers();

  constructor({ seed = 1, turns = USUAL_TURNS, eventsPerBreak = USUAL_EVENTS_PER_BREAK }: WorldOptions = {}) {
    this.#turns = turns;
    this.#eventsPerBreak = eventsPerBreak;
    this.ports = this.#makePorts(seed);
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** How many events have happened. */
  get events(): number {
    return this.#events;
  }

  /** How many sleepers are waiting, watched ones included. */
  get sleeping(): number {
    return this.#heap.size;
  }

  /** When the next event happens. Undefined: nothing waits. */
  get nextAtMs(): number | undefined {
    return this.#heap.head?.wakeAtMs;
  }

  /** Runs a callback after a delay. Returns a function that cancels it. */
  after(delayMs: number, callback: () => void): () => void {
    const alarm = new Alarm(callback);
    this.#layDown(alarm, delayMs);
    return () => this.#rouse(alarm);
  }

  /** For code in tests: `await world.pause(1000)`. */
  pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, resolve));
  }

  /** Lets virtual time pass, event by event. */
  async advance(ms: number): Promise<void> {
    await this.runUntil(this.#nowMs + ms);
  }

  async runUntil(endMs: number): Promise<void> {
    await this.settle();
    while (!this.isStopped) {
      const next = this.#heap.head;
      if (next === undefined || next.wakeAtMs > endMs) break;
      await this.#step(next);
    }
    if (!this.isStopped) this.#nowMs = Math.max(this.#nowMs, endMs);
  }

  /** Lets time pass until the promise settles. Throws if nothing is left that could settle it. */
  async until<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
    };
    promise.then(settle, settle);
    await this.settle();
    while (!isSettled) {
      const next = this.#heap.head;
      if (next === undefined) {
        await yieldToEventLoop();
        if (isSettled || this.#heap.size > 0) continue;
        throw new Error("No event is left, and the promise is still pending");
      }
      await this.#step(next);
    }
    return promise;
  }

  /** Runs everything that needs no time. */
  async settle(): Promise<void> {
    for (let turn = this.#turns; turn > 0; turn--) await undefined;
  }

  async #step(next: Sleeper): Promise<void> {
    this.#heap.remove(next);
    this.#nowMs = Math.max(this.#nowMs, next.wakeAtMs);
    this.#events++;
    next.wake();
    // Not `settle()`: its own promise would cost further turns.
    for (let turn = this.#turns; turn > 0; turn--) await undefined;
    if (this.#events % this.#eventsPerBreak === 0) await yieldToEventLoop();
  }

  #layDown(sleeper: Sleeper, delayMs: number): void {
    if (!(delayMs >= 0 && Number.isFinite(delayMs))) throw new RangeError(`Not a delay: ${delayMs}`);
    if (this.#heap.has(sleeper)) throw new Error("A sleeper that is asleep cannot be put to sleep");
    sleeper.wakeAtMs = this.#nowMs + delayMs;
    this.#heap.push(sleeper);
  }

  #rouse(sleeper: Sleeper): void {
    if (this.#heap.has(sleeper)) this.#heap.remove(sleeper);
  }

  #makePorts(seed: number): Ports {
    const reportFault = (fault: unknown, where: string): void => void this.faults.push({ fault, where });
    const fanout = createAbortFanout(reportFault);
    const watches = new WatchList(this.#heap);
    return {
      now: () => this.#nowMs,
      roughNow: () => this.#nowMs,
      wallNow: () => EPOCH_MS + this.#nowMs,
      random: createRandom(seed),
      sleep: (sleeper, delayMs) => this.#layDown(sleeper, delayMs),
      rouse: (sleeper) => this.#rouse(sleeper),
      watch: (watched, limitMs) => watches.watch(watched, this.#nowMs + limitMs),
      unwatch: (watched) => watches.unwatch(watched, this.#nowMs),
      newAbort: () => new AbortController(),
      reasonOf: (signal) => signal.reason,
      onAbort: fanout.onAbort,
      offAbort: fanout.offAbort,
      newId: () => `g${++this.#ids}`,
      reportFault,
    };
  }
}

/** One turn of the real event loop. */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
