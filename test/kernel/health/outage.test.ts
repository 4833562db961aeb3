import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultPolicy, definePolicy, type FailureKind, MemoryHealth, type Policy } from "../../../src/index.ts";
import { SPREAD_MS } from "../../../src/kernel/health/spread.ts";
import { answer, fails, World } from "../../support/world.ts";
import { failureOf, policyOf, seeded, steadily, target, under } from "./fixtures.ts";
import { Herd, peak } from "./herd.ts";

const breaker = { failures: 5, leastShare: 0.4, cooldownMs: 1000, maxCooldownMs: 8000, rampMs: 30_000 };
const policy = policyOf({ breaker });
/** How many go at once at most when a probe is believed: a few, and the first credit. */
const AT_ONCE = 10;
/** And so many a second at most whatever happens. */
const TRICKLE = 5;

/** The breaker has opened at this moment; nothing was known of usual calls. */
function shut(): MemoryHealth {
  const health = new MemoryHealth();
  for (let n = 0; n < breaker.failures; n++) health.failed(under(policy), failureOf("server"), 0);
  return health;
}

describe("B5: a total outage", () => {
  const step = fc.record({
    what: fc.constantFrom("ask" as const, "ask" as const, "fail" as const, "release" as const),
    which: fc.nat(),
    afterMs: fc.oneof(fc.constant(0), fc.nat({ max: 300 }), fc.nat({ max: 5000 })),
  });

  test("B5: one probe at a time, unless it has ended, its claim is over or it lives much longer than failures take", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const health = shut();
        /** When the calls that are under way were let through. */
        let live: number[] = [];
        let nowMs = 0;
        let probeMs = Number.NEGATIVE_INFINITY;
        /** Before this no call may go. */
        let freeFromMs = breaker.cooldownMs;
        let failedInMs: number | undefined;
        /** Since when the probe is believed, and how many may go at most without an answer. */
        let believed: { readonly sinceMs: number; most: number } | undefined;
        const ask = (): void => {
          if (health.admit(target(), policy, nowMs, false) > 0) return;
          live.push(nowMs);
          if (believed !== undefined) {
            believed.most--;
            expect(believed.most + ((nowMs - believed.sinceMs) / 1000) * TRICKLE).toBeGreaterThanOrEqual(0);
            return;
          }
          expect(nowMs).toBeGreaterThanOrEqual(freeFromMs);
          const believedInMs = failedInMs === undefined ? Number.POSITIVE_INFINITY : Math.max(100, failedInMs * 5);
          if (live.includes(probeMs) && nowMs - probeMs >= believedInMs) believed = { sinceMs: nowMs, most: AT_ONCE };
          else probeMs = nowMs;
          freeFromMs = nowMs + Math.min(breaker.cooldownMs, believedInMs);
        };
        const fail = (admittedMs: number): void => {
          health.failed(under(policy, admittedMs), failureOf("server"), nowMs);
          // While no probe is out, a former one's failure is no news.
          if (admittedMs === probeMs || live.includes(probeMs)) failedInMs = nowMs - admittedMs;
          if (believed !== undefined && admittedMs >= probeMs) {
            // The belief was wrong: it is shut again as at first, and the others that went do not count.
            believed = undefined;
            failedInMs = undefined;
            live = [];
            freeFromMs = nowMs + breaker.cooldownMs;
          } else if (admittedMs === probeMs) freeFromMs = Math.max(nowMs, probeMs + breaker.cooldownMs);
        };
        const release = (admittedMs: number): void => {
          health.released(under(policy, admittedMs), nowMs);
          if (believed !== undefined) believed.most += 2;
          else if (admittedMs === probeMs) freeFromMs = nowMs;
        };
        for (const { what, which, afterMs } of steps) {
          nowMs += afterMs;
          // Where no call was turned away for some seconds, there is no herd and the ramp is over.
          if (believed !== undefined && nowMs - believed.sinceMs > 2000) return;
          if (what === "ask") ask();
          else if (live.length > 0) {
            const [admittedMs = 0] = live.splice(which % live.length, 1);
            if (what === "fail") fail(admittedMs);
            else release(admittedMs);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test("B5: of twenty calls that ask at the same moment one probes, again and again, for as long as nothing is answered", () => {
    const health = shut();
    let probes = 0;
    for (let nowMs = 0; nowMs < 120_000; nowMs += 50) {
      let gone = 0;
      for (let n = 0; n < 20; n++) if (health.admit(target(), policy, nowMs, false) === 0) gone++;
      expect(gone).toBeLessThanOrEqual(1);
      probes += gone;
      if (gone > 0) health.failed(under(policy, nowMs), failureOf("server"), nowMs + 10);
    }
    expect(probes).toBeGreaterThan(120_000 / (2 * breaker.maxCooldownMs));
    expect(probes).toBeLessThan(120_000 / breaker.cooldownMs);
  });
});

describe("B5: a herd", () => {
  /** A hundred calls a second, answered within a second, but for a time in which all of them fail like this. */
  const outage = (fromMs: number, toMs: number, failure: FailureKind, inMs: number) =>
    new Herd(policy, (nowMs, provider) =>
      provider === "a" && nowMs >= fromMs && nowMs < toMs ? { inMs, failure } : { inMs: 1000 },
    );

  test.each<[string, FailureKind, number]>([
    ["fails at once", "server", 20],
    ["times out", "timeout", 10_000],
  ])(
    "B5: after an outage in which everything %s all come back at a pace, and none is forgotten",
    (_, failure, inMs) => {
      const herd = outage(60_000, 80_000, failure, inMs);
      herd.arrive(100, 0, 140_000);
      herd.runUntil(200_000);
      // One to open it, one to see that it is over, and in between hardly a call.
      if (inMs < 1000) expect(peak(herd, 62_000, 80_000)).toBeLessThanOrEqual(AT_ONCE);
      expect(peak(herd, 80_000, 140_000)).toBeLessThanOrEqual(200);
      expect(herd.waiting).toBe(0);
      expect(Math.max(...herd.waitedMs)).toBeLessThan(80_000);
      expect(herd.health.isFree).toBe(true);
    },
  );

  test("B5: the longer an outage lasts, the fewer probes there are, but never none", () => {
    const herd = outage(60_000, 1_260_000, "server", 20);
    herd.arrive(4, 0, 300_000);
    herd.runUntil(1_260_000);
    const probes = (from: number, to: number): number => herd.calls.slice(from, to).reduce((sum, n = 0) => sum + n, 0);
    expect(probes(600, 660)).toBeLessThan(probes(70, 130) / 2);
    for (let from = 70; from < 1250; from += 10) expect(probes(from, from + 10)).toBeGreaterThan(0);
  });

  test("B5: those who came during a minute of outage do not all go when the ramp has lasted for its time", () => {
    const herd = outage(60_000, 120_000, "server", 20);
    herd.arrive(100, 0, 300_000);
    herd.runUntil(400_000);
    expect(peak(herd, 120_000, 300_000)).toBeLessThanOrEqual(250);
    expect(herd.waiting).toBe(0);
  });

  test("B5: with three failures in every ten calls, calls go on as they come", () => {
    let calls = 0;
    const herd = new Herd(policy, (nowMs) =>
      nowMs > 60_000 && ++calls % 10 < 3 ? { inMs: 500, failure: "overloaded" } : { inMs: 1000 },
    );
    herd.arrive(100, 0, 120_000);
    herd.runUntil(140_000);
    expect(Math.min(...herd.calls.slice(5, 119))).toBeGreaterThan(90);
    expect(Math.max(...herd.waitedMs)).toBeLessThan(30_000);
  });

  test("B5: where answers take six times as long, new calls wait here, but none for ever", () => {
    let free: number[] = [];
    // Two hundred slots: a hundred calls a second fill half of them, and then a third has to wait.
    const herd = new Herd(policy, (nowMs) => {
      const takesMs = nowMs > 60_000 && nowMs < 90_000 ? 6000 : 1000;
      free = free.filter((atMs) => atMs > nowMs).sort((a, b) => a - b);
      const startMs = free.length < 200 ? nowMs : (free[free.length - 200] as number);
      free.push(startMs + takesMs);
      return { inMs: startMs + takesMs - nowMs };
    });
    herd.arrive(100, 0, 120_000);
    herd.runUntil(70_000);
    expect(herd.health.isFree).toBe(false);
    herd.runUntil(300_000);
    expect(herd.waiting).toBe(0);
    expect(herd.health.admit(target(), policy, 310_000, false)).toBe(0);
    expect(herd.health.isFree).toBe(true);
  });

  test("B5: an outage or a crowd at one provider does not hold back another", () => {
    for (const [failure, inMs] of [
      ["server", 20],
      ["timeout", 30_000],
    ] as const) {
      const herd = outage(60_000, 80_000, failure, inMs);
      herd.arrive(50, 0, 100_000);
      herd.arrive(50, 0, 100_000, "b");
      herd.runUntil(200_000);
      // Half of the callers never felt it: exactly one call, answered in its second.
      expect(herd.waitedMs.filter((waitedMs) => waitedMs === 1000).length).toBeGreaterThanOrEqual(5000);
    }
  });

  test("B5: of a herd that waits without new calls each has its turn, while answers come and while none come", () => {
    for (const isAnswered of [true, false]) {
      const health = new MemoryHealth();
      let nowMs = steadily(health, 10, 60, 0);
      while (health.isFree) {
        nowMs += 20;
        health.failed(under(policy), failureOf("server"), nowMs);
      }
      nowMs += 10_000;
      expect(health.admit(target(), policy, nowMs, false)).toBe(0);
      health.succeeded(under(policy, nowMs), nowMs);
      const asking = Array.from({ length: 50 }, () => nowMs);
      const from = nowMs;
      while (asking.length > 0) {
        asking.sort((a, b) => a - b);
        nowMs = asking.shift() as number;
        const waitMs = health.admit(target(), policy, nowMs, false);
        if (waitMs > 0) asking.push(nowMs + waitMs);
        else if (isAnswered) health.succeeded(under(policy, nowMs), nowMs);
        expect(nowMs - from).toBeLessThan(60_000);
      }
    }
  });

  test("B5: retries without a token wait for one, and all of them get it in the end", () => {
    const budgeted = policyOf({
      budget: { capacity: 10, capacitySeconds: 1, refillPerSuccess: 0.1, refillPerSecond: 1 },
    });
    const herd = new Herd(budgeted, (nowMs) =>
      nowMs > 30_000 && nowMs < 35_000 ? { inMs: 100, failure: "overloaded" } : { inMs: 100 },
    );
    herd.arrive(20, 0, 60_000);
    herd.runUntil(36_000);
    // First attempts are never held back.
    for (let second = 0; second < 35; second++) expect(herd.calls[second]).toBeGreaterThanOrEqual(20);
    // First attempts, twenty tokens, and what seconds have put back: less than half of what usually comes. Otherwise it were 350.
    expect(herd.calls.slice(30, 36).reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(6 * 20 + 20 + 6 * 10);
    herd.runUntil(200_000);
    expect(herd.waiting).toBe(0);
  });
});

describe("B5: one user", () => {
  const outcome = fc.record({
    end: fc.constantFrom<"answer" | "abort" | FailureKind>(
      ...(["answer", "answer", "answer", "abort", "server", "server", "overloaded", "timeout", "network"] as const),
      ...(["bad_request", "unknown"] as const),
    ),
    takesMs: fc.oneof(fc.integer({ min: 200, max: 2000 }), fc.integer({ min: 200, max: 120_000 })),
    pauseMs: fc.oneof(fc.constant(0), fc.nat({ max: 3000 }), fc.nat({ max: 600_000 })),
  });

  test("B5: with one call at a time no call is held back before five failures in a row", () => {
    const full = policyOf({ breaker, budget: { capacity: 100, refillPerSuccess: 0.1 } });
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 150 }), (calls) => {
        const health = new MemoryHealth();
        let nowMs = 0;
        let failuresInRow = 0;
        for (const { end, takesMs, pauseMs } of calls) {
          nowMs += pauseMs;
          const isRetry = failuresInRow > 0;
          let waitMs = health.admit(target(), full, nowMs, isRetry);
          if (failuresInRow < breaker.failures) expect(waitMs).toBe(0);
          for (let tries = 0; waitMs > 0; tries++) {
            // And even then not for long: alone, the user is the probe.
            expect(tries).toBeLessThan(3);
            expect(waitMs).toBeLessThanOrEqual(breaker.maxCooldownMs + SPREAD_MS);
            nowMs += waitMs;
            waitMs = health.admit(target(), full, nowMs, isRetry);
          }
          const admittedMs = nowMs;
          health.started(target());
          nowMs += takesMs;
          const attempt = under(full, admittedMs);
          if (end === "answer") health.succeeded(attempt, nowMs);
          else if (end === "abort") health.released(attempt, nowMs);
          else health.failed(attempt, failureOf(end), nowMs);
          if (end === "answer" || end === "bad_request") failuresInRow = 0;
          else if (end !== "abort" && end !== "unknown") failuresInRow++;
        }
      }),
      { numRuns: 400 },
    );
  });

  test("B5: alone, every attempt starts when the schedule says, as if there were no breaker and no budget", async () => {
    const statuses = fc.constantFrom(500, 503, 529, 408);
    const generation = fc.record({
      failing: fc.array(statuses, { maxLength: breaker.failures - 1 }),
      pauseMs: fc.nat({ max: 120_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(generation, { minLength: 1, maxLength: 12 }), fc.nat(), async (generations, seed) => {
        const startsWith = async (policy: Policy): Promise<readonly number[]> => {
          const world = new World({ random: seeded(seed) });
          const health = new MemoryHealth();
          for (const { failing, pauseMs } of generations) {
            await world.time.advance(pauseMs);
            const steps = failing.map((status, n) => fails(status, `error ${n}`));
            await world.run(world.script(...steps, answer()), { policy, health });
          }
          return world.startedAt;
        };
        const alone = definePolicy({ breaker: null, budget: null }, defaultPolicy());
        expect(await startsWith(defaultPolicy())).toEqual(await startsWith(alone));
      }),
      { numRuns: 60 },
    );
  });
});

describe("E17: a limit in a crowd of calls", () => {
  const targets = [{ provider: "a", model: "m", credentials: ["k"] }];
  const limited = fails(429, "slow down", { "retry-after": "30" });

  test("E17: one limited call in sixty waits for itself and keeps no other away", async () => {
    const world = new World();
    const health = new MemoryHealth();
    const nowMs = steadily(health, 60, 20, 0);
    await world.time.advance(nowMs);
    const generation = world.start(world.script(limited, answer()), { policy: defaultPolicy(), health, targets });
    await world.time.advance(10);
    expect(health.blockedForMs(target(), breaker, world.time.nowMs)).toBe(0);
    expect(await world.time.until(generation.result)).toMatchObject({ ok: true });
    expect(world.startedAt.at(-1)).toBeGreaterThanOrEqual(nowMs + 30_000);
  });

  test("E17: a limit that most calls meet is a limit for all", async () => {
    const world = new World();
    const health = new MemoryHealth();
    await world.time.advance(steadily(health, 60, 20, 0));
    for (let n = 0; n < 60; n++) {
      world.start(world.script(limited, answer()), { policy: defaultPolicy(), health, targets });
      await world.time.advance(16);
    }
    expect(health.blockedForMs(target(), breaker, world.time.nowMs)).toBeGreaterThan(25_000);
  });

  test("E17: a limited credential that can be left is left out at once, however few calls meet the limit", async () => {
    const world = new World();
    const health = new MemoryHealth();
    await world.time.advance(steadily(health, 60, 20, 0));
    const keys = [{ provider: "a", model: "m", credentials: ["k", "l"] }];
    await world.run(world.script(limited, answer()), { policy: defaultPolicy(), health, targets: keys });
    expect(health.blockedForMs(target("a", "m", "k"), breaker, world.time.nowMs)).toBeGreaterThan(25_000);
    expect(health.blockedForMs(target("a", "m", "l"), breaker, world.time.nowMs)).toBe(0);
  });
});
