import { describe, expect, test } from "vitest";
import { definePolicy, MemoryHealth, type RunOptions } from "../../../src/index.ts";
import { answer, fails, type Step, World } from "../../support/world.ts";
import { target } from "../health/fixtures.ts";

const policy = definePolicy({ schedules: { general: { type: "fixed", delayMs: 10_000 } }, patienceMs: 25_000 });
const LAST_WAIT_FROM_MS = 20_000;

describe("E11: a generation that has patience", () => {
  test("E11: tries until it is over, the last time when it ends", async () => {
    const world = new World();
    const result = await world.run(world.script(fails(503)), { policy });
    expect(world.startedAt).toEqual([0, 10_000, 20_000, 25_000]);
    expect(result).toMatchObject({
      ok: false,
      reason: "patience",
      failure: { message: "HTTP 503" },
      receipt: { outcome: "patience", attempts: 4, waitedMs: 25_000, patienceMs: 25_000 },
    });
  });

  test("E11: does not count the time of the attempts themselves: a call that fails after minutes is still retried", async () => {
    const world = new World();
    const slow: Step = () => world.time.pause(240_000).then(fails(503) as () => unknown);
    const result = await world.run(world.script(slow, slow, answer()), { policy });
    expect(world.startedAt).toEqual([0, 250_000, 500_000]);
    expect(result).toMatchObject({ ok: true, receipt: { waitedMs: 20_000, patienceMs: 25_000 } });
  });

  test("B8: announces with each wait how long it has waited and may wait in all", async () => {
    const world = new World();
    await world.run(world.script(fails(503)), { policy });
    expect(
      world
        .event("wait-start")
        .map(({ retry, maxRetries, delayMs, waitedMs, patienceMs, because }) => [
          retry,
          maxRetries,
          delayMs,
          waitedMs,
          patienceMs,
          because,
        ]),
    ).toEqual([
      [1, null, 10_000, 0, 25_000, "overloaded usually passes"],
      [2, null, 10_000, 10_000, 25_000, "overloaded usually passes"],
      [3, null, 5000, 20_000, 25_000, "the last try, as late as the policy's patience allows"],
    ]);
  });

  test("B8: retry now ends the last wait early, and what was not waited is still there", async () => {
    const world = new World();
    const generation = world.start(world.script(fails(503)), { policy });
    await world.time.advance(LAST_WAIT_FROM_MS + 1000);
    expect(generation.retryNow()).toBe(true);
    await world.time.until(generation.result);
    expect(world.startedAt).toEqual([0, 10_000, 20_000, 21_000, 25_000]);
  });

  test("B8: give up ends the last wait for good", async () => {
    const world = new World();
    const generation = world.start(world.script(fails(503)), { policy });
    await world.time.advance(LAST_WAIT_FROM_MS + 1000);
    expect(generation.giveUp()).toBe(true);
    expect(await generation.result).toMatchObject({ ok: false, reason: "gave-up", receipt: { waitedMs: 21_000 } });
    expect(world.startedAt).toHaveLength(3);
  });

  test("E13: an abort ends the last wait at once", async () => {
    const world = new World();
    const cancel = new AbortController();
    const generation = world.start(world.script(fails(503)), { policy, signal: cancel.signal });
    await world.time.advance(LAST_WAIT_FROM_MS + 1000);
    cancel.abort();
    expect(await generation.result).toMatchObject({ ok: false, reason: "aborted", receipt: { waitedMs: 21_000 } });
  });

  test("E17: without any, moves to the other targets and ends, at once", async () => {
    const world = new World();
    const targets = ["a", "b"].map((provider) => ({ provider, model: "m", credentials: ["k1", "k2"] }));
    const options = { policy: definePolicy({ patienceMs: 0 }, policy), targets };
    const result = await world.run(world.script(fails(503)), options);
    expect(world.startedAt).toEqual([0, 0]);
    expect(result).toMatchObject({ ok: false, reason: "patience", receipt: { waitedMs: 0, patienceMs: 0 } });
  });

  test("E17: leaves a model once its waits add up, counts anew for the next, and anew when it comes back", async () => {
    const world = new World();
    const targets = [
      { provider: "a", model: "m" },
      { provider: "b", model: "n" },
    ];
    const impatient = definePolicy(
      {
        patienceMs: 100_000,
        fallback: { when: "long-wait", longWaitMs: 60_000, patienceMs: 20_000, cooldownMs: 30_000 },
      },
      policy,
    );
    await world.run(world.script(fails(503)), { policy: impatient, targets, health: new MemoryHealth() });
    // The first model cools down for 30 s after it was left, so the second is waited for until then.
    const moves = world.event("target-switch").map(({ at, from, to, how }) => [at, from.provider, to.provider, how]);
    const startMs = world.events[0]?.at ?? 0;
    expect(moves.map(([at, ...rest]) => [(at as number) - startMs, ...rest]).slice(0, 3)).toEqual([
      [20_000, "a", "b", "switch"],
      [50_000, "b", "a", "switch"],
      [80_000, "a", "b", "switch"],
    ]);
  });
});

describe("B5: patience without room in the retry budget", () => {
  const budget = { capacity: 1, capacitySeconds: 0, refillPerSuccess: 0, refillPerSecond: 0 };
  const options = (): RunOptions => ({
    policy: definePolicy({ patienceMs: 25_000, budget, breaker: null }, policy),
    health: new MemoryHealth(),
    targets: [{ provider: "p", model: "m" }],
  });

  test("B5: a retry waits for room within its patience, shows that, and then ends by the budget", async () => {
    const world = new World();
    const result = await world.run(world.script(fails(503)), options());
    // The only token goes to the first retry.
    expect(world.startedAt).toEqual([0, 10_000]);
    const held = world.event("wait-start").filter(({ schedule }) => schedule === "");
    expect(held.length).toBeGreaterThan(0);
    for (const { because, failure, patienceMs } of held) {
      expect(because).toBe("waiting for room to retry");
      expect(failure.evidence).toBe("health:budget");
      expect(failure.message).toMatch(/^Waiting for room to retry/);
      expect(patienceMs).toBe(25_000);
    }
    expect(result).toMatchObject({ ok: false, reason: "retry-budget", failure: { message: "HTTP 503" } });
    expect(result.receipt.waitedMs).toBeLessThanOrEqual(25_000);
  });

  test("B8: a person who retries now needs no room", async () => {
    const world = new World();
    const generation = world.start(world.script(fails(503), fails(503), answer()), options());
    await world.time.advance(20_000);
    expect(generation.retryNow()).toBe(true);
    expect(await world.time.until(generation.result)).toMatchObject({ ok: true, receipt: { attempts: 3 } });
  });
});

describe("B5: patience in a queue that drains", () => {
  const TARGET = target("p", "m", "");
  const patient = definePolicy({ patienceMs: 25_000, breaker: {} }, policy);
  const given = (): RunOptions & { health: MemoryHealth } => ({
    policy: patient,
    health: new MemoryHealth(),
    targets: [{ provider: "p", model: "m" }],
  });
  const succeed = (options: RunOptions, nowMs: number): void =>
    options.health?.succeeded({ target: TARGET, policy: patient, admittedAtMs: 0 }, nowMs);

  /** Limited again and again for 10 s, with or without an answer to others in between. */
  async function limitAgain(world: World, isAnswering: boolean) {
    const options = given();
    options.health.coolDown(TARGET, "credential", 10_000);
    const waiting = world.start(world.script(answer()), options);
    for (let n = 1; n <= 8; n++) {
      await world.time.advance(9000);
      if (isAnswering) succeed(options, world.time.nowMs);
      options.health.coolDown(TARGET, "credential", world.time.nowMs + 11_000);
      await world.time.advance(1000);
    }
    return world.time.until(waiting.result);
  }

  test("B5: starts again whenever the limited target answers another call", async () => {
    const result = await limitAgain(new World(), true);
    expect(result).toMatchObject({ ok: true });
    expect(result.receipt.waitedMs).toBeGreaterThan(80_000);
  });

  test("B5: ends without any answer", async () => {
    const result = await limitAgain(new World(), false);
    expect(result).toMatchObject({ ok: false, reason: "patience", receipt: { attempts: 0, waitedMs: 20_000 } });
  });

  test("B5: a request that never fits ends all the same: waits after its own limits count for good", async () => {
    const world = new World();
    const options = given();
    const limited = fails(429, "slow down", { "retry-after": "10" });
    const call = world.script(() => {
      succeed(options, world.time.nowMs);
      return limited({} as never);
    });
    const result = await world.run(call, options);
    expect(result).toMatchObject({ ok: false, reason: "patience", receipt: { waitedMs: 20_000 } });
  });
});
