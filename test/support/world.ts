import {
  type AttemptContext,
  type GenerationEvent,
  type Ports,
  type Result,
  type RunOptions,
  run,
  type StreamOptions,
  start,
  stream,
} from "../../src/index.ts";
import { VirtualWorld } from "../../src/simulator/world/index.ts";

/** What a scripted target does when it is called. */
export type Step = (context: AttemptContext) => unknown;

export const answer =
  (value: unknown = "a good answer"): Step =>
  () =>
    value;

/** An HTTP error as an SDK throws it. */
export function httpError(status: number, message = `HTTP ${status}`, headers: Record<string, string> = {}): Error {
  return Object.assign(new Error(message), { status, headers });
}

export const fails =
  (status: number, message?: string, headers?: Record<string, string>): Step =>
  () => {
    throw httpError(status, message, headers);
  };

/** Never settles, whatever happens to its signal. */
export const hangs: Step = () => new Promise(() => undefined);

/** Settles only when its signal aborts, as a socket does. */
export const hangsUntilAborted: Step = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

/** Jitter that always falls in the middle. */
export const evenChance = (): number => 0.5;

/** For hosts: between a provider's word and the listener's ear stand several generators, a store and a queue. */
export const LONG_CHAINS = { turns: 200 } as const;

/** A world of virtual time with a scripted target and a log of all that happened in it. */
export class World {
  readonly time = new VirtualWorld();
  readonly events: GenerationEvent[] = [];
  /** When each attempt started. */
  readonly startedAt: number[] = [];
  readonly ports: Ports;

  constructor(overrides: Partial<Ports> = {}) {
    this.ports = { ...this.time.ports, random: evenChance, ...overrides };
  }

  /** Plays the script, one step an attempt, the last one again and again. */
  script(...steps: readonly Step[]): Step {
    let calls = 0;
    return (context) => {
      this.startedAt.push(this.time.nowMs);
      const step = steps[Math.min(calls++, steps.length - 1)] as Step;
      return step(context);
    };
  }

  run(call: Step, options: RunOptions = {}): Promise<Result<unknown>> {
    return this.time.until(run(call, { ports: this.ports, on: (event) => this.events.push(event), ...options }));
  }

  start(call: Step, options: RunOptions = {}): ReturnType<typeof start<unknown>> {
    return start(call, { ports: this.ports, on: (event) => this.events.push(event), ...options });
  }

  stream<T>(open: (context: AttemptContext) => AsyncIterable<T>, options: StreamOptions<T> = {}) {
    return stream(open, { ports: this.ports, on: (event) => this.events.push(event), ...options });
  }

  types(): string[] {
    return this.events.map((event) => event.type);
  }

  event<T extends GenerationEvent["type"]>(type: T): Extract<GenerationEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<GenerationEvent, { type: T }> => event.type === type);
  }
}

/** Reads a stream to its end: what it gave, and what it threw. */
export async function read<T>(items: AsyncIterable<T>): Promise<{ items: T[]; error: unknown }> {
  const got: T[] = [];
  try {
    for await (const item of items) got.push(item);
    return { items: got, error: undefined };
  } catch (error) {
    return { items: got, error };
  }
}
