import { expect, test } from "vitest";
import { definePolicy, MemoryHealth } from "../../src/index.ts";
import { fails, World } from "../support/world.ts";

// A limit that is over was taken for the reason of a wait for room in the budget, and the ramp after a limit has no bound in time.
test("B5: after a limit, a retry waits for room for two minutes and not for ever, even if no token ever comes back", async () => {
  const policy = definePolicy({
    schedules: { general: { type: "fixed", delayMs: 0, atMost: 3 } },
    breaker: {},
    budget: { capacity: 1, refillPerSecond: 0 },
  });
  const world = new World();
  const call = world.script(fails(429, "Slow down", { "retry-after-ms": "1" }), fails(429, "Slow down"));
  const generation = world.start(call, { policy, health: new MemoryHealth() });
  await world.time.advance(121_000);
  expect(generation.giveUp()).toBe(false);
  expect(await generation.result).toMatchObject({ ok: false, reason: "retry-budget", receipt: { attempts: 3 } });
});
