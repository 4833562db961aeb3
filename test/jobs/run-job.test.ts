import { describe, expect, test } from "vitest";
import { type Delivery, type Job, jobRunner, type Verdict } from "../../src/jobs/index.ts";
import type { SavedGeneration } from "../../src/kernel/index.ts";
import { VirtualWorld } from "../../src/simulator/world/index.ts";
import { emits, type Piece, ScriptedProvider, says } from "../support/scripted-provider.ts";
import { LONG_CHAINS } from "../support/world.ts";
import { ask } from "./fixtures.ts";

interface Play {
  readonly script: readonly (readonly Piece[])[];
  readonly job?: Partial<Job>;
  readonly policy?: Delivery["policy"];
  /** When the worker stops, in virtual time. */
  readonly stopAtMs?: number;
}

/** Delivers a job again and again, as the queue does, until it is final or released. */
async function play({ script, job = {}, policy = "patient", stopAtMs }: Play) {
  const world = new VirtualWorld(LONG_CHAINS);
  const stopping = new AbortController();
  const { signal } = stopping;
  if (stopAtMs !== undefined) world.after(stopAtMs, () => stopping.abort(new Error("The worker stops")));
  const provider = new ScriptedProvider("sim", script, world);
  const events: string[] = [];
  const run = jobRunner({
    providerOf: () => provider,
    targetsFor: ({ model }) => {
      if (model === "sim/ok") return [{ provider: "sim", model: "ok" }];
      throw new Error(`Unknown model: ${model}`);
    },
    ports: world.ports,
    watch: () => ({ on: ({ type }) => events.push(type) }),
  });
  const now = world.ports.wallNow();
  const base: Job = {
    ...{ id: "j1", state: "running", model: "sim/ok", policy: "patient", createdAt: now, updatedAt: now },
    ...{ attempts: 0, crashes: 0, ...job },
  };
  const waits: number[] = [];
  let saved: SavedGeneration | undefined;
  for (;;) {
    const request = { ...ask("x"), model: base.model };
    const delivery: Delivery = { job: base, request, policy, isRetriedNow: false, signal, ...(saved && { saved }) };
    const verdict: Verdict = await world.until(run(delivery));
    if (verdict.type !== "waiting") return { verdict, waits, events, provider, world };
    waits.push(verdict.saved.until - world.ports.wallNow());
    saved = JSON.parse(JSON.stringify(verdict.saved)) as SavedGeneration;
    await world.until(world.pause(saved.until - world.ports.wallNow()));
  }
}

describe("B6: running a job", () => {
  test("B6: goes through its policy's waits, one delivery after another, and gives the whole answer", async () => {
    const { verdict, waits, events } = await play({ script: [emits(503), emits(429), emits(503), says("Hel", "lo")] });
    expect(verdict).toMatchObject({
      type: "done",
      result: { text: "Hello", model: "sim/ok", stopReason: "end", usage: { inputTokens: 10, outputTokens: 5 } },
      receipt: { generationId: "j1", outcome: "succeeded", attempts: 4, waitedMs: 45_000 },
    });
    expect(waits).toEqual([5000, 10_000, 30_000]);
    const wait = ["attempt-start", "attempt-end", "wait-start", "wait-end"];
    expect(events).toEqual([...wait, ...wait, ...wait, "attempt-start", "attempt-end", "generation-end"]);
  });

  test("B6: ends after 21 retries and eight hours of waiting, with the provider's own error", async () => {
    const { verdict, waits } = await play({ script: [emits(503, "HTTP 503: down")] });
    expect(waits).toHaveLength(21);
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(27_105_000);
    expect(verdict).toMatchObject({
      type: "failed",
      failure: { kind: "overloaded", status: 503, message: "HTTP 503: down" },
      receipt: { attempts: 22, complete: false },
    });
  });

  test("B6: fails at once for what no retry cures, and for a model that no worker knows", async () => {
    const bad = await play({ script: [emits(400, "HTTP 400: no such field")] });
    expect(bad.verdict).toMatchObject({ type: "failed", failure: { kind: "bad_request", status: 400 } });
    const unknown = await play({ script: [], job: { model: "nobody/model" } });
    expect(unknown.verdict).toMatchObject({
      type: "failed",
      failure: { reason: "no-target", message: "Unknown model: nobody/model" },
    });
  });

  test("E18: begins no wait beyond the deadline, and fails with the provider's error", async () => {
    const world = new VirtualWorld();
    const { verdict, waits, events } = await play({
      script: [emits(503, "HTTP 503: down")],
      job: { deadline: world.ports.wallNow() + 12_000 },
    });
    expect(waits).toEqual([5000]);
    expect(verdict).toMatchObject({ type: "failed", failure: { reason: "deadline", message: "HTTP 503: down" } });
    expect(events.filter((type) => type === "generation-end")).toHaveLength(1);
  });

  test("B6: a job that is delivered after its deadline makes no call", async () => {
    const { verdict, provider } = await play({ script: [says("late")], job: { deadline: 1 } });
    expect(verdict).toMatchObject({ type: "failed", failure: { reason: "deadline", kind: "timeout" } });
    expect(provider.requests).toEqual([]);
  });

  test("B6: a worker that stops releases the job and closes its call", async () => {
    const { verdict, provider } = await play({ script: [[{ type: "hang" }]], stopAtMs: 1000 });
    expect(verdict).toEqual({ type: "released" });
    expect(provider.closed).toBe(1);
  });

  test("B6: takes changes of the patient policy, and sleeps waits that are shorter than a second", async () => {
    const policy = { schedules: { general: { type: "fixed", delayMs: 300 } } } as const;
    const { verdict, waits, world } = await play({ script: [emits(503), emits(503), says("ok")], policy });
    expect(verdict).toMatchObject({ type: "done", receipt: { attempts: 3, waitedMs: 600 } });
    expect([waits, world.nowMs]).toEqual([[], 600]);
  });
});
