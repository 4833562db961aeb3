import { checkBoolean, checkNumber, checkObject, InvalidInput, type Ports, type Sleeper } from "../../kernel/index.ts";
import { VirtualWorld } from "../../simulator/world/index.ts";
import { systemPorts } from "../../system/index.ts";
import { Passing } from "./passing.ts";

export interface VirtualTimeOptions {
  /** True: time passes only in `advance` and `until`. Default false: it passes by itself whenever nothing else happens. */
  readonly manual?: boolean | undefined;
  /** Real milliseconds without progress after which a call in flight counts as hanging, 1 to 60,000. Default: 100. */
  readonly quietMs?: number | undefined;
  /** For jitter, 0 to 2^32 - 1. The same seed gives the same waits. Default: 1. */
  readonly seed?: number | undefined;
  /** Replaces the seeded random source. Returns a number from 0 up to, not including, 1. */
  readonly random?: (() => number) | undefined;
}

/** A wait between two attempts, or one of `sleep`. */
export interface VirtualWait {
  /** When it began, in ms since the start. */
  readonly startedAtMs: number;
  readonly delayMs: number;
  /** How much of it has passed. Less than `delayMs`: it is under way, or was ended early. */
  readonly waitedMs: number;
}

/** A clock whose hours pass in milliseconds. */
export interface VirtualTime {
  /** For `resilient`, `run`, `start` and `stream`. */
  readonly ports: Ports;
  /** How much virtual time has passed since the start. */
  readonly elapsedMs: number;
  /** Every wait so far, in the order in which they began. */
  readonly waits: readonly VirtualWait[];
  /** What the engine reported: a listener that threw, a broken store. */
  readonly faults: readonly { readonly fault: unknown; readonly where: string }[];
  /** Lets this much time pass, event by event, 0 to 2^53 - 1 ms. */
  advance(ms: number): Promise<void>;
  /** Lets as much time pass as the promise needs, and returns its value. */
  until<T>(promise: PromiseLike<T>): Promise<T>;
  /** A wait in virtual time, for code of your own. Rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

const FIELDS = ["manual", "quietMs", "seed", "random"];

/** Creates a clock. Throws `InvalidInput` for invalid options. */
export function virtualTime(options: VirtualTimeOptions = {}): VirtualTime {
  checkObject("options", options, FIELDS);
  const { manual = false, quietMs = 100, seed = 1, random } = options;
  checkBoolean("manual", manual);
  checkNumber("quietMs", quietMs, { min: 1, max: 60_000 });
  checkNumber("seed", seed, { min: 0, max: 2 ** 32 - 1, integer: true });
  if (random !== undefined && typeof random !== "function") throw new InvalidInput("random", random, "a function");
  const world = new VirtualWorld({ seed });
  const { checkContent } = systemPorts();
  const passing = new Passing(world, { quietMs, isByItself: !manual });
  const ports: Ports = {
    ...world.ports,
    ...passing.ports,
    ...(checkContent !== undefined && { checkContent }),
    ...(random !== undefined && { random }),
  };
  return {
    ports,
    get elapsedMs() {
      return world.nowMs;
    },
    get waits() {
      return passing.waits;
    },
    faults: world.faults,
    advance: (ms) => passing.advance(checkNumber("ms", ms, { min: 0, max: Number.MAX_SAFE_INTEGER })),
    until: (promise) => passing.until(promise),
    sleep: (ms, signal) => sleepOn(ports, ms, signal),
  };
}

function sleepOn(ports: Ports, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    checkNumber("ms", ms, { min: 0, max: Number.MAX_SAFE_INTEGER });
    if (signal?.aborted) return reject(signal.reason);
    const leave = (): void => {
      ports.rouse(sleeper);
      reject(signal?.reason);
    };
    const sleeper: Sleeper & { readonly isWaiting: true } = {
      wakeAtMs: 0,
      slot: -1,
      isWaiting: true,
      wake() {
        signal?.removeEventListener("abort", leave);
        resolve();
      },
    };
    signal?.addEventListener("abort", leave, { once: true });
    ports.sleep(sleeper, ms);
  });
}
