import { describe, expect, test } from "vitest";
import { defaultPolicy, MemoryHealth, type RunOptions } from "../../../src/index.ts";
import { answer, fails, type Step, World } from "../../support/world.ts";
import { failureOf, target } from "../health/fixtures.ts";

// Breaker, ramp and budget are there for herds. One user of the default policy should not notice them.

const options = (): RunOptions => ({ policy: defaultPolicy(), health: new MemoryHealth() });
const ANSWER = answer();
/** That of calls that name none. */
const TARGET = target("", "", "");

/** So many failures in a row. */
const failing = (times: number): Step[] => Array.from({ length: times }, () => fails(503));

function openBreaker({ health }: RunOptions, nowMs: number): void {
  const attempt = { target: TARGET, policy: defaultPolicy(), admittedAtMs: -1 };
  for (let n = 0; n < 5; n++) health?.failed(attempt, failureOf("server"), nowMs);
}

/** Whenever a call asks, another one has just been there, takes the probe and never reports back. */
class AlwaysSecond extends MemoryHealth {
  override admit(...asked: Parameters<MemoryHealth["admit"]>): number {
    super.admit(...asked);
    return super.admit(...asked);
  }
}

/** One question after another. */
async function askOneByOne(world: World, given: RunOptions, questions: number): Promise<void> {
  for (let n = 0; n < questions; n++) await world.run(world.script(ANSWER), given);
}

describe("B5: a small application does not feel what protects from herds", () => {
  test("B5: one flaky call: the scheduled wait, then everything goes at once", async () => {
    const world = new World();
    const given = options();
    await world.run(world.script(fails(503), ANSWER), given);
    expect(world.startedAt).toEqual([0, 500]);
    await askOneByOne(world, given, 100);
    expect(world.startedAt.slice(2)).toEqual(Array.from({ length: 100 }, () => 500));
  });

  test("B5: after an outage that opened the breaker, the next hundred questions go at once", async () => {
    const world = new World();
    const given = options();
    const result = await world.run(world.script(...failing(6), ANSWER), given);
    expect(result).toMatchObject({ ok: true, receipt: { attempts: 7 } });
    // 0.5, 1, 2, 4, 6 and 6 s as scheduled: the last two are longer than the breaker's cooldown.
    expect(world.startedAt).toEqual([0, 500, 1500, 3500, 7500, 13_500, 19_500]);
    await askOneByOne(world, given, 100);
    expect(world.startedAt.slice(7)).toEqual(Array.from({ length: 100 }, () => 19_500));
  });

  test("B5: five at a time go at once after an outage, too, and all is forgotten seconds later", async () => {
    const world = new World();
    const given = options();
    await world.run(world.script(...failing(6), ANSWER), given);
    const answers = Array.from({ length: 5 }, () => world.start(world.script(ANSWER), given).result);
    await world.time.settle();
    expect((await Promise.all(answers)).every(({ ok }) => ok)).toBe(true);
    expect(world.event("wait-start")).toHaveLength(6);
    await world.time.advance(10_000);
    // A hundred answers fill the retry budget up again.
    await askOneByOne(world, given, 100);
    expect(given.health?.isQuiet).toBe(true);
  });

  test("B5: a limit with a hint is waited for once, to the millisecond, by everyone of a few", async () => {
    const world = new World();
    const given = options();
    const limited = world.script(fails(429, "slow down", { "retry-after": "3" }), ANSWER);
    const first = world.start(limited, given);
    await world.time.advance(1000);
    const second = world.start(world.script(ANSWER), given);
    await world.time.until(Promise.all([first.result, second.result]));
    expect(world.startedAt).toEqual([0, 3000, 3000]);
    await askOneByOne(world, given, 50);
    expect(world.startedAt.at(-1)).toBe(3000);
  });
});

describe("B5: waiting for a breaker", () => {
  test("B5: a generation that is never let through gives up after its five minutes of patience", async () => {
    const world = new World();
    const given = { ...options(), health: new AlwaysSecond() };
    openBreaker(given, 0);
    const result = await world.run(world.script(ANSWER), given);
    expect(result).toMatchObject({
      ok: false,
      reason: "patience",
      failure: { message: "API unavailable (circuit breaker triggered)" },
      receipt: { attempts: 0 },
    });
    expect(result.receipt.waitedMs).toBeGreaterThan(295_000);
    expect(result.receipt.waitedMs).toBeLessThanOrEqual(300_000);
  });

  test("B5: a herd comes back within patience though an answer takes ten times as long as a probe's claim", async () => {
    const world = new World();
    const given = options();
    openBreaker(given, 0);
    const slow: Step = () => world.time.pause(30_000).then(() => "at last");
    const herd = Array.from({ length: 200 }, () => world.start(slow, given).result);
    const results = await world.time.until(Promise.all(herd));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(world.time.nowMs).toBeLessThan(100_000);
  });
});
