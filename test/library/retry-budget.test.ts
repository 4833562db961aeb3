import { describe, expect, test } from "vitest";
import {
  type AttemptContext,
  defaultPolicy,
  definePolicy,
  type GenerationEvent,
  type GenerationHandle,
  MemoryHealth,
  type PolicyInput,
  resilient,
  type SecondwindError,
} from "../../src/index.ts";
import { createRandom, VirtualWorld } from "../../src/simulator/world/index.ts";
import { httpError } from "../support/world.ts";

// The retry budget paces: a retry without a token waits for one, and only the patience ends a generation.

type Waited = Extract<GenerationEvent, { type: "wait-start" }>;

interface Setting {
  readonly policy?: PolicyInput;
  readonly health?: MemoryHealth;
  readonly targets?: readonly { readonly provider: string; readonly model: string }[];
}

/** Calls in virtual time. `isFailing`: what becomes of an attempt. */
function setUp(isFailing: (context: AttemptContext, nowMs: number) => boolean, setting: Setting = {}) {
  const world = new VirtualWorld();
  const random = createRandom(11);
  const waits: Waited[] = [];
  const handles: GenerationHandle[] = [];
  /** When first attempts and retries started. */
  const startedAt: { readonly first: number[]; readonly retry: number[] } = { first: [], retry: [] };
  const ask = resilient(
    async (context: AttemptContext) => {
      startedAt[context.attempt === 1 ? "first" : "retry"].push(world.nowMs);
      await world.pause(50 + 100 * random());
      if (isFailing(context, world.nowMs)) throw httpError(503, "Overloaded");
      return context.target.model;
    },
    setting.policy ?? {},
    {
      ports: world.ports,
      health: setting.health ?? new MemoryHealth(),
      ...(setting.targets !== undefined && { targets: setting.targets }),
      on: (event, handle) => {
        if (event.type !== "wait-start") return;
        waits.push(event);
        handles.push(handle);
      },
    },
  );
  return { world, ask, waits, handles, startedAt, random };
}

const forRoom = ({ because }: Waited): boolean => because === "waiting for room to retry";

/** A token, and no other one for a long time. */
const ONE_TOKEN = { capacity: 1, capacitySeconds: 0, refillPerSuccess: 0, refillPerSecond: 0 };

/** The token is taken. */
function emptied(budget: Partial<typeof ONE_TOKEN> = {}, provider = "") {
  const policy = definePolicy({ breaker: null, budget: { ...ONE_TOKEN, ...budget } }, defaultPolicy());
  const health = new MemoryHealth();
  health.admit({ provider, model: "", credential: "" }, policy, 0, true);
  return { policy, health };
}

describe("B5: a retry budget that paces", () => {
  test("B5: of 300 calls at once to a server where three in ten fail, none fails by the budget", async () => {
    const random = createRandom(3);
    const { world, ask, startedAt } = setUp(() => random() < 0.3);
    const ended = await world.until(Promise.allSettled(Array.from({ length: 300 }, () => ask())));
    expect(ended.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(startedAt.first).toEqual(Array(300).fill(0));
    expect(startedAt.retry.length).toBeGreaterThan(60);
    expect(world.nowMs).toBeLessThan(60_000);
  });

  test("B5: with a small budget the same calls take turns, and all are answered", async () => {
    const random = createRandom(3);
    const policy = { budget: { capacity: 5, capacitySeconds: 0 } };
    const { world, ask, waits } = setUp(() => random() < 0.3, { policy });
    const ended = await world.until(Promise.allSettled(Array.from({ length: 300 }, () => ask())));
    expect(ended.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(waits.some(forRoom)).toBe(true);
  });

  test("B5: if a server fails for good, generations end by budget or patience, and not before the patience is over", async () => {
    const policy = { breaker: null, budget: { capacity: 20 } };
    const { world, ask } = setUp((_, nowMs) => nowMs > 60_000, { policy });
    const endedAt: number[] = [];
    const askAt = async (startMs: number): Promise<unknown> => {
      await world.pause(startMs);
      const error: unknown = await ask().catch((thrown: unknown) => thrown);
      if (typeof error !== "string") endedAt.push(world.nowMs - startMs);
      return error;
    };
    const ended = await world.until(Promise.all(Array.from({ length: 600 }, (_, n) => askAt(n * 200))));
    const errors = ended.filter((one) => typeof one !== "string") as SecondwindError[];
    expect(errors.length).toBeGreaterThan(290);
    expect([...new Set(errors.map(({ reason }) => reason))].sort()).toEqual(["patience", "retry-budget"]);
    // A last wait that does not fit is not made, and a wait for room is a second and a half at most.
    expect(Math.min(...endedAt)).toBeGreaterThan(290_000);
    expect(errors.every(({ receipt }) => receipt.waitedMs <= 300_000)).toBe(true);
  });

  test("B5: the wait for room is announced with that reason, and uses up no retry", async () => {
    const { world, ask, waits } = setUp(({ attempt }) => attempt === 1, emptied({ refillPerSecond: 0.5 }));
    expect(await world.until(ask())).toBe("");
    const [scheduled, ...held] = waits as [Waited, ...Waited[]];
    expect(scheduled).toMatchObject({ retry: 1, schedule: "general", failure: { status: 503 } });
    expect(held.length).toBeGreaterThan(0);
    for (const wait of held) {
      expect(wait).toMatchObject({
        because: "waiting for room to retry",
        schedule: "",
        maxRetries: null,
        patienceMs: 300_000,
        failure: { kind: "overloaded", message: "Waiting for room to retry", evidence: "health:budget" },
      });
      expect(wait.waitedMs).toBeGreaterThan(0);
    }
    expect(world.nowMs).toBeGreaterThanOrEqual(2000);
    expect(world.nowMs).toBeLessThan(4000);
  });

  test("B5: the budget never holds a first call back", async () => {
    const { world, ask, startedAt } = setUp(({ attempt }) => attempt === 1, emptied({ refillPerSecond: 100 }));
    const all = Array.from({ length: 50 }, async (_, n) => {
      await world.pause(n * 10);
      return ask();
    });
    await world.until(Promise.all(all));
    expect(startedAt.first).toEqual(Array.from({ length: 50 }, (_, n) => n * 10));
  });

  test("E13: an abort ends a wait for room at once", async () => {
    const { policy, health } = emptied();
    const world = new VirtualWorld();
    const controller = new AbortController();
    const ask = resilient(() => Promise.reject(httpError(503)), policy, {
      ports: world.ports,
      health,
      on: (event) => {
        if (event.type === "wait-start" && forRoom(event)) controller.abort(new Error("enough"));
      },
    });
    await expect(world.until(ask.with({ signal: controller.signal })())).rejects.toThrow("enough");
    expect(world.nowMs).toBeLessThan(1000);
  });

  test("B8: a person who retries now does not wait for room", async () => {
    const { world, ask, waits, handles } = setUp(({ attempt }) => attempt === 1, emptied());
    const answer = ask();
    while (!waits.some(forRoom)) await world.advance(100);
    const atMs = world.nowMs;
    expect(handles.at(-1)?.retryNow()).toBe(true);
    expect(await world.until(answer)).toBe("");
    expect(world.nowMs - atMs).toBeLessThan(200);
  });

  test("E17: a fallback of another provider is tried instead of waiting for room", async () => {
    const targets = ["p", "q"].map((provider) => ({ provider, model: `of ${provider}` }));
    const { world, ask, waits, startedAt } = setUp(({ target }) => target.provider === "p", {
      ...emptied({}, "p"),
      targets,
    });
    expect(await world.until(ask())).toBe("of q");
    expect(startedAt.retry).toHaveLength(1);
    expect(waits.filter(forRoom)).toEqual([]);
    expect(world.nowMs).toBeLessThan(2500);
  });
});

describe("B5: one user does not notice the herd logic", () => {
  const plain = definePolicy({ breaker: null, budget: null }, defaultPolicy());

  /** So many calls at once, each of which fails so often; how long each took, with and without breaker and budget. */
  async function compare(calls: number, failures: number) {
    const tookMs = async (policy: PolicyInput): Promise<readonly number[]> => {
      const { world, ask } = setUp(({ attempt }) => attempt <= failures, { policy });
      const one = async (): Promise<number> => {
        await ask();
        return world.nowMs;
      };
      return world.until(Promise.all(Array.from({ length: calls }, one)));
    };
    return { guarded: await tookMs(defaultPolicy()), plain: await tookMs(plain) };
  }

  test.each([1, 2, 3])("B5: a lone call that fails %i times waits what its schedule asks", async (failures) => {
    const { guarded, plain } = await compare(1, failures);
    expect(guarded).toEqual(plain);
  });

  test("B5: two to four calls at once that each fail once wait what their schedules ask", async () => {
    for (const calls of [2, 3, 4]) {
      const { guarded, plain } = await compare(calls, 1);
      expect(guarded).toEqual(plain);
    }
  });

  // Five failures in a row open the breaker for a second.
  test("B5: five calls at once that each fail once wait three seconds longer at most", async () => {
    const { guarded, plain } = await compare(5, 1);
    const latestMs = Math.max(...plain);
    expect(Math.max(...guarded)).toBeLessThan(latestMs + 3000);
  });
});
