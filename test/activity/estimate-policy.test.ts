import { describe, expect, test } from "vitest";
import { estimatePolicy } from "../../src/activity/estimate/estimate-policy.ts";
import { recordAfter, recordAfterContent, startRecord } from "../../src/activity/record-after.ts";
import {
  type AttemptContext,
  definePolicy,
  type FailureKind,
  MemoryHealth,
  type Policy,
  type RunOptions,
  start,
} from "../../src/index.ts";
import { PRESETS } from "../../src/presets/index.ts";
import { createRandom, VirtualWorld } from "../../src/simulator/world/index.ts";
import type { ActivityRecord } from "../../src/wire/http/activity.ts";
import type { EstimateFigures } from "../../src/wire/http/server.ts";
import { httpError } from "../support/world.ts";
import { facts } from "./activities.ts";

const WATCHED = { watchdog: { firstContentMs: 60_000, idleMs: 60_000 } };

interface Weather {
  readonly policy: Policy;
  readonly generations: number;
  /** What a call does: an answer after some milliseconds, or an error. */
  readonly call: (world: VirtualWorld, context: AttemptContext) => Promise<unknown>;
  readonly targets?: RunOptions["targets"];
}

/** Runs generations with the real engine and writes them down, the newest first. */
async function recordAll(
  { policy, generations, call, targets }: Weather,
  seed = 7,
): Promise<readonly ActivityRecord[]> {
  const world = new VirtualWorld({ seed });
  const health = new MemoryHealth();
  const records = new Map<string, ActivityRecord>();
  for (let n = 0; n < generations; n++) {
    world.after(n * 700, () => {
      const generation: { readonly id: string } = start((context) => call(world, context), {
        policy,
        health,
        ports: world.ports,
        targets: targets ?? [{ provider: "first", model: "a" }],
        on: (event) => {
          const { generationId: id, at } = event;
          records.set(id, recordAfter(records.get(id) ?? startRecord(facts, id, at), event));
        },
      });
      void generation.id;
    });
  }
  await world.runUntil(24 * 3_600_000);
  return [...records.values()].reverse();
}

/** An outage of the first minute, errors by chance afterwards. */
function outage(): Weather["call"] {
  const random = createRandom(3);
  return (world) =>
    new Promise((resolve, reject) => {
      const isDown = world.nowMs < 60_000 || random() < 0.02;
      const status = random() < 0.5 ? 503 : 429;
      world.after(isDown ? 80 : 900, () => (isDown ? reject(httpError(status)) : resolve("answer")));
    });
}

/** With jitter and a breaker single runs give 0.3 to 1.1 of the recorded calls: which calls meet the end of the outage is chance. */
const SEEDS = Array.from({ length: 12 }, (_, at) => at + 1);

function meanOf(all: readonly EstimateFigures[]): EstimateFigures {
  const mean = (name: keyof EstimateFigures): number => all.reduce((sum, one) => sum + one[name], 0) / all.length;
  return {
    generations: mean("generations"),
    answered: mean("answered"),
    retried: mean("retried"),
    calls: mean("calls"),
    meanWaitMs: mean("meanWaitMs"),
  };
}

describe("B7: what a policy would have done", () => {
  test.each(["default", "session", "patient", "console"])(
    "B7: replaying the recorded policy (%s) gives about the recorded figures",
    async (name) => {
      const policy = definePolicy(WATCHED, PRESETS[name]?.());
      const runs = [];
      for (const seed of SEEDS) {
        const records = await recordAll({ policy, generations: 300, call: outage() }, seed);
        runs.push(await estimatePolicy(records, policy));
      }
      const recorded = meanOf(runs.map((run) => run.recorded));
      const estimated = meanOf(runs.map((run) => run.estimated));
      expect(recorded.generations).toBe(300);
      expect(estimated.generations).toBe(300);
      expect(recorded.calls).toBeGreaterThan(330);
      expect(Math.abs(estimated.answered - recorded.answered)).toBeLessThanOrEqual(9);
      expect(Math.abs(estimated.retried - recorded.retried)).toBeLessThanOrEqual(15);
      expect(estimated.calls / recorded.calls).toBeGreaterThan(0.8);
      expect(estimated.calls / recorded.calls).toBeLessThan(1.15);
      expect(Math.abs(estimated.meanWaitMs - recorded.meanWaitMs)).toBeLessThan(0.2 * recorded.meanWaitMs + 50);
    },
  );

  test("B7: without chance in the schedule the figures are the recorded ones, exactly", async () => {
    const policy = definePolicy({ ...WATCHED, schedules: { general: { type: "fixed", delayMs: 4000, atMost: 20 } } });
    const records = await recordAll({ policy, generations: 200, call: outage() });
    const { recorded, estimated } = await estimatePolicy(records, policy);
    expect(estimated).toEqual(recorded);
  });

  test("B7: a policy that never retries answers fewer, with one call each", async () => {
    const patient = definePolicy(WATCHED, PRESETS.patient?.());
    const records = await recordAll({ policy: patient, generations: 200, call: outage() });
    const { recorded, estimated } = await estimatePolicy(records, definePolicy({ enabled: false }));
    const first = records.filter(({ attemptCount }) => attemptCount === 1).length;
    expect(estimated).toEqual({ generations: 200, answered: first, retried: 0, calls: 200, meanWaitMs: 0 });
    expect(recorded.answered).toBe(200);
  });

  test("B7: what never answered fails for ever, and a policy without limits ends all the same", async () => {
    const call: Weather["call"] = () => Promise.reject(httpError(401));
    const records = await recordAll({ policy: definePolicy(WATCHED), generations: 3, call });
    const endless = definePolicy({
      ...WATCHED,
      schedules: { general: { type: "fixed", delayMs: 1000 } },
      rules: { auth: { action: "retry", when: "always" } },
    });
    const { estimated } = await estimatePolicy(records, endless);
    expect(estimated).toMatchObject({ generations: 3, answered: 0, calls: 600 });
  });

  test("B7: a hint names the moment that was recorded", async () => {
    const call: Weather["call"] = async (world) => {
      if (world.nowMs < 30_000) throw httpError(429, "limit", { "retry-after-ms": String(30_000 - world.nowMs) });
      return "answer";
    };
    const policy = definePolicy({ ...WATCHED, schedules: { general: { type: "fixed", delayMs: 100 } } });
    const records = await recordAll({ policy, generations: 1, call });
    const { recorded, estimated } = await estimatePolicy(records, policy);
    expect(estimated).toEqual(recorded);
    expect(recorded).toMatchObject({ calls: 2, meanWaitMs: 30_000 });
    const impatient = await estimatePolicy(records, definePolicy({ ...WATCHED, maxDelayMs: 20_000 }, policy));
    expect(impatient.estimated).toMatchObject({ answered: 0, calls: 1 });
  });

  test("B7: another key or model that answered is still there for a policy that switches", async () => {
    const call: Weather["call"] = async (_, { target }) => {
      if (target.credential === "one") throw httpError(401);
      return "answer";
    };
    const targets = [{ provider: "first", model: "a", credentials: ["one", "two"] }];
    const policy = definePolicy(WATCHED, PRESETS.default?.());
    const records = await recordAll({ policy, generations: 4, call, targets });
    const { recorded, estimated } = await estimatePolicy(records, policy);
    expect(estimated.answered).toBe(4);
    expect(recorded.answered).toBe(4);
    const stops = definePolicy({ rules: { auth: "stop" } }, policy);
    expect((await estimatePolicy(records, stops)).estimated.answered).toBeLessThan(4);
  });

  test("B7: a stream that broke after content is not retried by any policy", async () => {
    const broken = attempts([{ kind: "stream_broken", startedAt: 0, firstContentAt: 200, endedAt: 900 }]);
    const records = [{ ...broken, outcome: "already-streaming" as const, truncated: true }];
    const { estimated } = await estimatePolicy(records, definePolicy(WATCHED, PRESETS.patient?.()));
    expect(estimated).toMatchObject({ answered: 0, calls: 1 });
  });

  test("B7: silence lasts as long as the policy bears it", async () => {
    const record = attempts([
      { kind: "silent", startedAt: 0, endedAt: 300_000 },
      { ok: true, startedAt: 300_000, endedAt: 301_000, firstContentAt: 300_400 },
    ]);
    const quick = definePolicy({
      watchdog: { firstContentMs: 10_000, idleMs: 10_000 },
      schedules: { general: { type: "fixed", delayMs: 1000, atMost: 100 } },
    });
    const { estimated } = await estimatePolicy([record], quick);
    expect(estimated).toMatchObject({ answered: 1 });
    expect(estimated.calls).toBeGreaterThan(2);
  });

  test("B7: generations that were ended from outside are left out; without any record there are no figures", async () => {
    const answered = attempts([{ ok: true, startedAt: 0, endedAt: 100 }]);
    const records: ActivityRecord[] = [
      { ...answered, outcome: "aborted" },
      { ...answered, outcome: "gave-up" },
      { ...answered, interrupted: true },
      { ...answered, attempts: [], outcome: "no-target" },
    ];
    const none = { generations: 0, answered: 0, retried: 0, calls: 0, meanWaitMs: 0 };
    expect(await estimatePolicy(records, definePolicy({}))).toEqual({ recorded: none, estimated: none });
  });

  test("B7: the newest 1,000 are replayed in short pieces, and an abort ends it", async () => {
    const policy = definePolicy(WATCHED, PRESETS.default?.());
    const records = await recordAll({ policy, generations: 1200, call: outage() });
    let longestMs = 0;
    let pieces = 0;
    let last = performance.now();
    let isOver = false;
    const look = (): void => {
      const now = performance.now();
      longestMs = Math.max(longestMs, now - last);
      pieces++;
      last = now;
      if (!isOver) setImmediate(look);
    };
    setImmediate(look);
    const begun = performance.now();
    const { recorded } = await estimatePolicy(records, policy);
    isOver = true;
    expect(recorded.generations).toBe(1000);
    const took = Math.round(performance.now() - begun);
    process.stdout.write(`estimate of 1,000 generations: ${took} ms, longest piece ${Math.round(longestMs)} ms\n`);
    // How long a piece takes depends on what else the machine does; that there are many does not.
    expect(pieces).toBeGreaterThan(10);
    const abort = new AbortController();
    const aborted = estimatePolicy(records, policy, abort.signal);
    setImmediate(() => abort.abort());
    await expect(aborted).rejects.toMatchObject({ name: "AbortError" });
  });
});

function attempts(
  given: readonly {
    readonly kind?: FailureKind;
    readonly ok?: boolean;
    readonly startedAt: number;
    readonly endedAt: number;
    readonly firstContentAt?: number;
  }[],
): ActivityRecord {
  const target = { provider: "first", model: "a", credential: "" };
  const [first] = given;
  return {
    ...recordAfterContent(startRecord(facts, "g", first?.startedAt ?? 0), 0),
    state: "ended",
    outcome: "succeeded",
    attempts: given.map((one, place) => ({ attempt: place + 1, target, ok: false, ...one })),
    attemptCount: given.length,
  };
}
