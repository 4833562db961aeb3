import { expect, test } from "vitest";
import { definePolicy, MemoryHealth } from "../../src/index.ts";
import { answer, fails, World } from "../support/world.ts";

// The hint of the endpoint was remembered as a cooldown, and "retry now" ran into it: it waited again, used up a retry each
// time, and never called.
test("B8: retry now calls at once even though the endpoint asked for a longer wait", async () => {
  const world = new World();
  const call = world.script(fails(429, "slow down", { "retry-after": "40" }), answer("at once"));
  const generation = world.start(call, { health: new MemoryHealth() });
  await world.time.advance(100);
  expect(generation.retryNow()).toBe(true);
  const result = await generation.result;
  expect(result).toMatchObject({ ok: true, value: "at once", receipt: { attempts: 2, waitedMs: 100 } });
  expect(world.startedAt).toEqual([0, 100]);
});

test("B8: retry now goes through an open breaker, as its probe", async () => {
  const world = new World();
  const policy = definePolicy({
    breaker: { failures: 1, cooldownMs: 60_000, maxCooldownMs: 60_000 },
    schedules: { general: { type: "fixed", delayMs: 1000, atMost: 3 } },
  });
  const options = { policy, health: new MemoryHealth() };
  const generation = world.start(world.script(fails(503), answer("up again")), options);
  await world.time.advance(10);
  generation.retryNow();
  expect(await generation.result).toMatchObject({ ok: true, value: "up again" });
  // Its success has closed the breaker for everyone.
  await world.run(world.script(answer()), options);
  expect(world.startedAt).toEqual([0, 10, 10]);
});

test("E17: waiting for a cooldown does not make it longer", async () => {
  const world = new World();
  const health = new MemoryHealth();
  const options = { health, targets: [{ provider: "p", model: "m", credentials: ["k"] }] };
  const limited = world.start(world.script(fails(429, "slow down", { "retry-after": "40" }), answer()), options);
  await world.time.advance(30_000);
  const other = world.start(world.script(answer("waited its turn")), options);
  await world.time.until(Promise.all([limited.result, other.result]));
  expect(world.startedAt).toEqual([0, 40_000, 40_000]);
});
