import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  definePolicy,
  type GenerationEvent,
  MemoryHealth,
  type PolicyInput,
  type SavedGeneration,
  StreamGeneration,
  type StreamSetup,
} from "../../../src/kernel/index.ts";
import { setupOf } from "../../../src/library/setup.ts";
import {
  consolePolicy,
  defaultPolicy,
  patientPolicy,
  sessionPolicy,
  tavernPolicy,
} from "../../../src/presets/index.ts";
import { often } from "../../support/soak.ts";
import { httpError, read, World } from "../../support/world.ts";

const TARGETS = [
  { provider: "a", model: "one", credentials: ["k1", "k2"] },
  { provider: "b", model: "two" },
];

interface Told {
  readonly events: readonly unknown[];
  readonly receipt: unknown;
  readonly startedAt: readonly number[];
  readonly items: readonly string[];
  readonly parks: number;
}

interface Case {
  readonly policy: PolicyInput;
  readonly statuses: readonly number[];
  readonly hint?: string;
  readonly targets?: typeof TARGETS;
}

/** Plays a generation; parked: at every wait it is turned into JSON and goes on as a new one. */
async function play({ policy, statuses, hint, targets = TARGETS }: Case, isParked: boolean): Promise<Told> {
  const world = new World();
  const health = new MemoryHealth();
  const made = definePolicy(policy);
  let calls = 0;
  let parks = 0;
  const open = async function* (): AsyncGenerator<string> {
    world.startedAt.push(world.time.nowMs);
    const status = statuses[calls++] ?? 200;
    if (status !== 200) throw httpError(status, `HTTP ${status}`, hint === undefined ? {} : { "retry-after": hint });
    yield "whole";
  };
  const go = async (saved?: SavedGeneration): Promise<[StreamGeneration<string>, string[]]> => {
    let kept: SavedGeneration | undefined;
    const setup: StreamSetup<string> = {
      ...setupOf(made, { targets, health, ports: world.ports, on: (event) => void world.events.push(event) }),
      ...{ inspect: undefined, sink: "buffered", textOf: () => "", toError: () => new Error("ended") },
      ...(isParked && {
        park: (one) => {
          kept = JSON.parse(JSON.stringify(one)) as SavedGeneration;
          return true;
        },
      }),
      ...(saved !== undefined && { resume: { saved, by: "elapsed" as const } }),
    };
    const generation = new StreamGeneration<string>(setup, open, undefined, "one");
    const { items } = await read(generation);
    if (kept === undefined) return [generation, items];
    parks++;
    expect(generation.isParked).toBe(true);
    expect(generation.receipt.outcome).toBe("running");
    await world.time.pause(kept.until - world.ports.wallNow());
    return go(kept);
  };
  const [generation, items] = await world.time.until(go());
  return {
    events: world.events.map(plain),
    receipt: generation.receipt,
    startedAt: world.startedAt,
    items,
    parks,
  };
}

/** What was thrown does not go through JSON. */
const plain = (event: GenerationEvent): unknown =>
  JSON.parse(JSON.stringify(event, (key, value) => (key === "cause" ? undefined : value)));

describe("B6: a generation that is parked in its waits", () => {
  test("B6: goes through the same attempts, waits and events as one that sleeps, on its way of eight hours", async () => {
    const outage: Case = { policy: patientPolicy(), statuses: Array.from({ length: 60 }, () => 503) };
    const targets = TARGETS.slice(1);
    const parked = await play({ ...outage, targets }, true);
    expect(parked).toEqual({ ...(await play({ ...outage, targets }, false)), parks: 21 });
    expect(parked.receipt).toMatchObject({ attempts: 22, waitedMs: 27_105_000, elapsedMs: 27_105_000 });
  });

  test("B6: makes the same decisions under any policy, with fallbacks, hints and rotating keys", async () => {
    const presets = [defaultPolicy, patientPolicy, consolePolicy, () => sessionPolicy(), () => tavernPolicy()];
    const kind = fc.constantFrom(429, 500, 502, 503, 529, 401, 402, 404, 408, 200);
    const some = fc.record({
      policy: fc.constantFrom(...presets).map((preset) => preset()),
      statuses: fc.array(kind, { minLength: 1, maxLength: 14 }),
      hint: fc.constantFrom(undefined, "1", "40", "900"),
    });
    await fc.assert(
      fc.asyncProperty(some, async ({ hint, ...rest }) => {
        const one = { ...rest, ...(hint !== undefined && { hint }) };
        const [slept, parked] = [await play(one, false), await play(one, true)];
        expect({ ...parked, parks: 0 }).toEqual({ ...slept, parks: 0 });
      }),
      { numRuns: often(150, 5000) },
    );
  });

  test("B8: tries at once when a person ends the wait, and counts what it really waited", async () => {
    const world = new World();
    const setup: StreamSetup<string> = {
      ...setupOf(patientPolicy(), { ports: world.ports, on: (event) => void world.events.push(event) }),
      ...{ inspect: undefined, sink: "buffered", textOf: () => "", toError: () => new Error("ended") },
    };
    let kept: SavedGeneration | undefined;
    const park = (saved: SavedGeneration): boolean => {
      kept = saved;
      return true;
    };
    const failing = new StreamGeneration<string>(
      { ...setup, park },
      () => Promise.reject(httpError(503)),
      undefined,
      "g",
    );
    await world.time.until(read(failing));
    await world.time.advance(2000);
    const resume = { saved: kept as SavedGeneration, by: "retry-now" } as const;
    const open = async function* (): AsyncGenerator<string> {
      yield "fine";
    };
    const next = new StreamGeneration<string>({ ...setup, resume }, open, undefined, "g");
    expect(await world.time.until(read(next))).toEqual({ items: ["fine"], error: undefined });
    expect(world.event("wait-end")).toMatchObject([{ ended: "retry-now", waitedMs: 2000 }]);
    expect(next.receipt).toMatchObject({ attempts: 2, waitedMs: 2000, elapsedMs: 2000 });
  });

  test("E13: a parked generation hears no abort and starts nothing more", async () => {
    const world = new World();
    const ending = new AbortController();
    const setup: StreamSetup<string> = {
      ...setupOf(patientPolicy(), { ports: world.ports, on: (event) => void world.events.push(event) }),
      ...{
        inspect: undefined,
        sink: "buffered",
        textOf: () => "",
        toError: () => new Error("ended"),
        park: () => true,
      },
    };
    const generation = new StreamGeneration<string>(setup, () => Promise.reject(httpError(503)), ending.signal, "g");
    await world.time.until(read(generation));
    ending.abort();
    expect([generation.retryNow(), generation.giveUp()]).toEqual([false, false]);
    await world.time.advance(60_000);
    expect(world.types()).toEqual(["attempt-start", "attempt-end", "wait-start"]);
    expect(world.time.sleeping).toBe(0);
  });
});
