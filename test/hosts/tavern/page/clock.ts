/** A timer of a frame. */
interface Timer {
  readonly owner: Window;
  readonly fire: () => void;
  readonly everyMs: number | undefined;
  atMs: number;
}

const hop = (): Promise<void> =>
  new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(0);
  });

/** Runs everything that takes no time: promises, messages, the host's own clean-up. */
export async function settle(hops = 6): Promise<void> {
  for (let count = 0; count < hops; count++) await hop();
}

/**
 * One clock for the page's providers and all frames. Virtual: advances only on request. Real: uses the browser's timers and counts
 * them. Either way the timers of a frame die with it, as in the browser.
 */
export class HostClock {
  readonly isVirtual: boolean;
  private nowMs = 0;
  private nextId = 1;
  private readonly timers = new Map<number, Timer>();

  constructor(isVirtual: boolean) {
    this.isVirtual = isVirtual;
  }

  now(): number {
    return this.isVirtual ? this.nowMs : performance.now();
  }

  /** The number of pending timers of a frame. */
  pending(owner: Window): number {
    return [...this.timers.values()].filter((timer) => timer.owner === owner).length;
  }

  after(owner: Window, fire: () => void, delayMs: number, everyMs?: number): number {
    const id = this.nextId++;
    const timer: Timer = { owner, fire, everyMs, atMs: this.now() + Math.max(0, delayMs) };
    this.timers.set(id, timer);
    if (!this.isVirtual) this.arm(id, timer, delayMs);
    return id;
  }

  clear(id: number | undefined): void {
    if (id !== undefined) this.timers.delete(id);
  }

  /** The timers of a removed frame never fire. */
  bury(owner: Window): void {
    for (const [id, timer] of this.timers) if (timer.owner === owner) this.timers.delete(id);
  }

  private arm(id: number, timer: Timer, delayMs: number): void {
    window.setTimeout(() => this.run(id, timer), delayMs);
  }

  private run(id: number, timer: Timer): void {
    if (this.timers.get(id) !== timer) return;
    if (timer.everyMs === undefined) this.timers.delete(id);
    else {
      timer.atMs += timer.everyMs;
      if (!this.isVirtual) this.arm(id, timer, timer.everyMs);
    }
    timer.fire();
  }

  async advance(ms: number): Promise<void> {
    const endMs = this.nowMs + ms;
    await settle();
    for (;;) {
      const [next] = [...this.timers].filter(([, { atMs }]) => atMs <= endMs).sort(([, a], [, b]) => a.atMs - b.atMs);
      if (next === undefined) break;
      this.nowMs = Math.max(this.nowMs, next[1].atMs);
      this.run(...next);
      await settle();
    }
    this.nowMs = endMs;
  }

  /** Replaces a frame's own timers and clocks. */
  rule(frame: Window & typeof globalThis): void {
    const own = frame as unknown as Record<string, unknown>;
    own.setTimeout = (fire: () => void, ms = 0) => this.after(frame, fire, ms);
    own.setInterval = (fire: () => void, ms = 0) => this.after(frame, fire, ms, Math.max(1, ms));
    own.clearTimeout = (id?: number) => this.clear(id);
    own.clearInterval = (id?: number) => this.clear(id);
    if (!this.isVirtual) return;
    Object.defineProperty(frame.performance, "now", { value: () => this.now() });
    frame.Date.now = () => 1_700_000_000_000 + this.now();
  }
}
