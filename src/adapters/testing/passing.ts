// Not the global ones: a test may have replaced those with fake timers.
import { setImmediate, setTimeout } from "node:timers";
import type { Ports, Sleeper, Watched } from "../../kernel/index.ts";
import type { VirtualWorld } from "../../simulator/world/index.ts";
import type { VirtualWait } from "./virtual-time.ts";

interface PassingOptions {
  readonly quietMs: number;
  readonly isByItself: boolean;
}

/** Turns of the event loop for work that needs no time but more than promises: memory sockets, streams, `setImmediate`. */
const TURNS = 3;
/** After a silence: enough for a request and its reply through sockets of this process. */
const TURNS_AFTER_SILENCE = 20;

class Wait implements VirtualWait {
  readonly startedAtMs: number;
  readonly delayMs: number;
  readonly #world: VirtualWorld;
  #endedAtMs = Number.POSITIVE_INFINITY;

  constructor(world: VirtualWorld, delayMs: number) {
    this.#world = world;
    this.startedAtMs = world.nowMs;
    this.delayMs = delayMs;
  }

  get waitedMs(): number {
    return Math.min(this.delayMs, Math.min(this.#endedAtMs, this.#world.nowMs) - this.startedAtMs);
  }

  end(): void {
    this.#endedAtMs = Math.min(this.#endedAtMs, this.#world.nowMs);
  }
}

/**
 * Decides when virtual time passes. A call in flight does real work, which takes no virtual time: the clock stands still until the
 * call has shown no progress for a while. Otherwise a reply that is on its way would come after every watchdog.
 */
export class Passing {
  readonly ports: Pick<Ports, "sleep" | "rouse" | "watch" | "unwatch">;
  readonly #world: VirtualWorld;
  readonly #quietMs: number;
  readonly #waits: Wait[] = [];
  readonly #waiting = new Map<Sleeper, Wait>();
  /** What ends when a call in flight makes progress: watchdogs, and limits on the body of an error. */
  readonly #limits = new Set<Watched | Sleeper>();
  #activity = 0;
  #isRunning = false;
  /** Who lets time pass: the clock itself, and every `until`. */
  #drivers: number;

  constructor(world: VirtualWorld, { quietMs, isByItself }: PassingOptions) {
    this.#world = world;
    this.#quietMs = quietMs;
    this.#drivers = isByItself ? 1 : 0;
    this.ports = this.#makePorts(world.ports);
  }

  get waits(): readonly VirtualWait[] {
    return this.#waits.map(({ startedAtMs, delayMs, waitedMs }) => ({ startedAtMs, delayMs, waitedMs }));
  }

  async advance(ms: number): Promise<void> {
    const endMs = this.#world.nowMs + ms;
    await this.#rest();
    for (let next = this.#world.nextAtMs; next !== undefined && next <= endMs; next = this.#world.nextAtMs) {
      await this.#passTo(next);
      await this.#rest();
    }
    await this.#passTo(endMs);
  }

  async until<T>(promise: PromiseLike<T>): Promise<T> {
    this.#drivers++;
    this.#stir();
    try {
      return await promise;
    } finally {
      this.#drivers--;
    }
  }

  #makePorts(world: Ports): Passing["ports"] {
    return {
      sleep: (sleeper, delayMs) => {
        world.sleep(sleeper, delayMs);
        if (isWait(sleeper)) this.#noteWait(sleeper, delayMs);
        else this.#limits.add(sleeper);
        this.#stir();
      },
      rouse: (sleeper) => {
        world.rouse(sleeper);
        this.#waiting.get(sleeper)?.end();
        this.#limits.delete(sleeper);
        this.#stir();
      },
      watch: (watched, limitMs) => {
        world.watch(watched, limitMs);
        this.#limits.add(watched);
        this.#stir();
      },
      unwatch: (watched) => {
        this.#limits.delete(watched);
        this.#stir();
        return world.unwatch(watched);
      },
    };
  }

  #noteWait(sleeper: Sleeper, delayMs: number): void {
    const wait = new Wait(this.#world, delayMs);
    this.#waits.push(wait);
    this.#waiting.set(sleeper, wait);
  }

  #stir(): void {
    this.#activity++;
    if (this.#isRunning || this.#drivers === 0) return;
    this.#isRunning = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    while (this.#drivers > 0 && this.#world.sleeping > 0) {
      await this.#rest();
      const next = this.#world.nextAtMs;
      if (next !== undefined && this.#drivers > 0) await this.#passTo(next);
    }
    this.#isRunning = false;
  }

  async #passTo(ms: number): Promise<void> {
    await this.#world.runUntil(ms);
    this.#forget();
  }

  /** The world wakes its sleepers itself: what it no longer holds is over. */
  #forget(): void {
    for (const sleeper of this.#waiting.keys()) if (sleeper.slot < 0) this.#waiting.delete(sleeper);
    for (const limit of this.#limits) if (("place" in limit ? limit.place : limit.slot) < 0) this.#limits.delete(limit);
  }

  /** Resolves when nothing moves any more without the passing of time. */
  async #rest(): Promise<void> {
    for (let seen = -1; seen !== this.#activity; ) {
      seen = this.#activity;
      await turns(TURNS);
      if (seen !== this.#activity || this.#limits.size === 0) continue;
      await new Promise((resolve) => setTimeout(resolve, this.#quietMs));
      await turns(TURNS_AFTER_SILENCE);
    }
  }
}

/** A generation says whether it waits for its next attempt. Everything else that sleeps is a limit on something under way. */
function isWait(sleeper: Sleeper & { readonly isWaiting?: boolean }): boolean {
  return sleeper.isWaiting === true;
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}
