import type { Ports, Sleeper, Watched } from "../kernel/index.ts";
import { createAbortFanout } from "../system/index.ts";

/** Where virtual wall clocks start: a round number that is easy to recognise in a log. */
const EPOCH_MS = Date.UTC(2026, 0, 1);

/**
 * Time that stands still until it is told to go on. Hours pass in milliseconds, and the same script gives the same
 * sequence of events, twice.
 */
export class VirtualTime {
  nowMs = 0;
  /** Everything that the engine's surroundings got wrong. */
  readonly faults: { readonly fault: unknown; readonly where: string }[] = [];
  /** What `random` answers, one after another; the last one again and again. */
  randoms: readonly number[] = [0.5];
  private readonly sleepers = new Set<Sleeper>();
  private readonly watched = new Set<Watched>();
  private drawn = 0;
  private ids = 0;

  get sleeping(): number {
    return this.sleepers.size + this.watched.size;
  }

  ports(overrides: Partial<Ports> = {}): Ports {
    const fanout = createAbortFanout((fault) => this.faults.push({ fault, where: "abort" }));
    return {
      now: () => this.nowMs,
      roughNow: () => this.nowMs,
      wallNow: () => EPOCH_MS + this.nowMs,
      random: () => this.randoms[Math.min(this.drawn++, this.randoms.length - 1)] ?? 0.5,
      sleep: (sleeper, delayMs) => {
        if (!(delayMs >= 0 && Number.isFinite(delayMs))) throw new RangeError(`Not a delay: ${delayMs}`);
        if (this.sleepers.has(sleeper)) throw new Error("A sleeper sleeps once at a time");
        sleeper.wakeAtMs = this.nowMs + delayMs;
        this.sleepers.add(sleeper);
      },
      rouse: (sleeper) => void this.sleepers.delete(sleeper),
      watch: (watched, limitMs) => {
        watched.dueAt = this.nowMs + limitMs;
        this.watched.add(watched);
      },
      unwatch: (watched) => (this.watched.delete(watched) ? Math.max(0, watched.dueAt - this.nowMs) : 0),
      newAbort: () => new AbortController(),
      reasonOf: (signal) => signal.reason,
      onAbort: fanout.onAbort,
      offAbort: fanout.offAbort,
      newId: () => `g${++this.ids}`,
      reportFault: (fault, where) => void this.faults.push({ fault, where }),
      ...overrides,
    };
  }

  /** Lets everything happen that needs no time. */
  async settle(): Promise<void> {
    for (let i = 0; i < 3; i++) await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /** Lets so much time pass, waking whoever is due on the way. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    await this.settle();
    while (this.nextAtMs() <= untilMs) await this.wakeNext();
    this.nowMs = untilMs;
    await this.settle();
  }

  /** Lets time pass until the promise has settled. Throws if it never will, because nobody sleeps any more. */
  async until<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const settled = promise.then(
      () => {
        isSettled = true;
      },
      () => {
        isSettled = true;
      },
    );
    await this.settle();
    while (!isSettled) {
      if (this.sleeping === 0) throw new Error("Nobody sleeps, and the promise is still pending");
      await this.wakeNext();
    }
    await settled;
    return promise;
  }

  private nextAtMs(): number {
    let atMs = Number.POSITIVE_INFINITY;
    for (const { wakeAtMs } of this.sleepers) atMs = Math.min(atMs, wakeAtMs);
    for (const { dueAt } of this.watched) atMs = Math.min(atMs, dueAt);
    return atMs;
  }

  /** Wakes whoever is due first; of two at the same moment the one that lay down first. */
  private async wakeNext(): Promise<void> {
    const atMs = this.nextAtMs();
    this.nowMs = Math.max(this.nowMs, atMs);
    const sleeper = [...this.sleepers].find((candidate) => candidate.wakeAtMs === atMs);
    if (sleeper !== undefined) {
      this.sleepers.delete(sleeper);
      sleeper.wake();
    } else {
      const due = [...this.watched].find((candidate) => candidate.dueAt === atMs);
      if (due !== undefined) this.watched.delete(due);
      due?.expire();
    }
    await this.settle();
  }
}
