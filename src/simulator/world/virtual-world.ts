import type { Ports, Sleeper } from "../../kernel/index.ts";
import { createAbortFanout } from "../../system/index.ts";
import { SleeperHeap } from "../../system/sleeper-heap.ts";
import { EventLog } from "./event-log.ts";
import { createRandom } from "./random.ts";
import { WatchList } from "./watch-list.ts";

/** Where virtual wall clocks start: a round number that is easy to recognise in a log. */
export const EPOCH_MS = Date.UTC(2026, 0, 1);

/**
 * Promise turns given to what an event has set going, before the next event. The engine needs one from the settled call to
 * its decision and at most four more until the caller's `await` goes on; the rest is room for code around it.
 */
const USUAL_TURNS = 8;
/** A long run comes up for air so often, so that signals are heard and a progress bar can be drawn. */
const EVENTS_PER_BREATH = 5000;

export interface WorldOptions {
  readonly seed?: number;
  /** Promise turns between two events; more for long chains of `await` in scripted code. */
  readonly turns?: number;
  /** How many lines of the log stay readable. */
  readonly keepLog?: number;
}

/** Something of the world's own that happens later. */
class Alarm implements Sleeper {
  wakeAtMs = 0;
  slot = -1;
  readonly wake: () => void;

  constructor(wake: () => void) {
    this.wake = wake;
  }
}

/**
 * Time that goes from event to event: one heap holds everyone who waits for a moment, and hours pass in milliseconds. Nothing
 * comes from outside, so the same seed gives the same sequence of events, twice.
 */
export class VirtualWorld {
  readonly log: EventLog;
  readonly ports: Ports;
  /** Everything that the engine's surroundings got wrong. */
  readonly faults: { readonly fault: unknown; readonly where: string }[] = [];
  /** Set from outside: the run ends before its time. */
  isStopped = false;
  #nowMs = 0;
  #events = 0;
  #ids = 0;
  readonly #turns: number;
  readonly #heap = new SleeperHeap();

  constructor({ seed = 1, turns = USUAL_TURNS, keepLog }: WorldOptions = {}) {
    this.#turns = turns;
    this.log = new EventLog(keepLog);
    this.ports = this.#makePorts(seed);
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** How many events there were so far. */
  get events(): number {
    return this.#events;
  }

  /** How many wait for a moment, watched ones included. */
  get sleeping(): number {
    return this.#heap.size;
  }

  note(what: string): void {
    this.log.note(this.#nowMs, what);
  }

  /** Lets something happen after so much time; answers how to call it off. */
  after(delayMs: number, happen: () => void): () => void {
    const alarm = new Alarm(happen);
    this.#layDown(alarm, delayMs);
    return () => this.#rouse(alarm);
  }

  /** For scripted code: `await world.pause(1000)`. */
  pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, resolve));
  }

  /** Lets so much time pass, event by event. */
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

  /** Lets time pass until the promise has settled. Throws if it never will, because nobody waits for anything any more. */
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
        await breathe();
        if (isSettled || this.#heap.size > 0) continue;
        throw new Error("Nobody sleeps, and the promise is still pending");
      }
      await this.#step(next);
    }
    return promise;
  }

  /** Lets everything happen that needs no time. */
  async settle(): Promise<void> {
    for (let turn = this.#turns; turn > 0; turn--) await undefined;
  }

  async #step(next: Sleeper): Promise<void> {
    this.#heap.remove(next);
    this.#nowMs = Math.max(this.#nowMs, next.wakeAtMs);
    this.#events++;
    next.wake();
    for (let turn = this.#turns; turn > 0; turn--) await undefined;
    if (this.#events % EVENTS_PER_BREATH === 0) await breathe();
  }

  #layDown(sleeper: Sleeper, delayMs: number): void {
    if (!(delayMs >= 0 && Number.isFinite(delayMs))) throw new RangeError(`Not a delay: ${delayMs}`);
    if (this.#heap.has(sleeper)) throw new Error("A sleeper sleeps once at a time");
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
function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
