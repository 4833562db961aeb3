import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MemoryHealth } from "../../../src/kernel/health/memory-health.ts";
import { FAILURE_KINDS, type FailureKind } from "../../../src/kernel/model/failure.ts";
import { often } from "../../support/soak.ts";
import { failureOf, guarded, plain, policyOf, steadily, target, under } from "./fixtures.ts";

/** So few calls under way are never a crowd. */
const FEW = 10;
const RATE = 100;

const start = (health: MemoryHealth, count: number, to = target()): void => {
  for (let n = 0; n < count; n++) health.started(to);
};
const asks = (health: MemoryHealth, nowMs: number, to = target(), policy = guarded): number =>
  health.admit(to, policy, nowMs, false);

/** Calls were answered at once, a hundred a second, until this moment. */
function inGoodWeather(): { health: MemoryHealth; nowMs: number } {
  const health = new MemoryHealth();
  return { health, nowMs: steadily(health, RATE, 60, 0) };
}

/** Many calls are under way, and answers have not come for a second. */
function crowded(underWay = 200): { health: MemoryHealth; nowMs: number } {
  const { health, nowMs } = inGoodWeather();
  start(health, underWay);
  return { health, nowMs: nowMs + 1000 };
}

/**
 * Calls that ask where they have to, as a generation does, and are answered at once. What an open breaker did not let through counts as
 * older than the outage, so answers to calls that never ask would leave it open for ever.
 */
function asking(health: MemoryHealth, seconds: number, fromMs: number): number {
  let nowMs = fromMs;
  for (let n = 0; n < RATE * seconds; n++) {
    nowMs += 1000 / RATE;
    const isFree = health.isFree;
    if (!isFree && asks(health, nowMs) > 0) continue;
    health.started(target());
    health.succeeded(under(guarded, isFree ? -1 : nowMs), nowMs);
  }
  return nowMs;
}

describe("B5: too many calls under way", () => {
  test("B5: new calls wait, each for a different time, and it is known why", () => {
    const { health, nowMs } = crowded();
    expect([health.isQuiet, health.isFree]).toEqual([false, false]);
    const waits = Array.from({ length: 50 }, () => asks(health, nowMs));
    expect(Math.min(...waits)).toBeGreaterThan(0);
    expect(Math.max(...waits)).toBeLessThan(2000);
    expect(new Set(waits).size).toBe(50);
    expect(health.isCrowded(target(), nowMs)).toBe(true);
    expect(health.blockedForMs(target(), guarded.breaker, nowMs)).toBeGreaterThan(0);
  });

  test("B5: what a process saw in its first moments makes no crowd of the calls that follow", () => {
    const health = new MemoryHealth();
    const nowMs = steadily(health, RATE, 2, 0);
    start(health, 200);
    expect(asks(health, nowMs + 1000)).toBe(0);
  });

  test("B5: a policy without a breaker does not wait, and another provider is not concerned", () => {
    const { health, nowMs } = crowded();
    expect(asks(health, nowMs)).toBeGreaterThan(0);
    expect(asks(health, nowMs, target(), plain)).toBe(0);
    expect(health.blockedForMs(target(), null, nowMs)).toBe(0);
    expect(asks(health, nowMs, target("b"))).toBe(0);
    expect(health.blockedForMs(target("b"), guarded.breaker, nowMs)).toBe(0);
    expect(health.isCrowded(target("b"), nowMs)).toBe(false);
  });

  test("B5: calls that are answered within a second are no crowd, though answers come at half the usual rate", () => {
    // Ten thousand answers a second, as a fast endpoint beside the gateway gives them; then the process gets little time.
    const health = new MemoryHealth();
    const from = steadily(health, 10_000, 10, 0);
    const slowly = steadily(health, 1000, 0.4, from);
    start(health, 200);
    expect(asks(health, slowly + 1)).toBe(0);
    // Without any answers at all they are one after a while.
    expect(asks(health, slowly + 1000)).toBeGreaterThan(0);
  });

  test("B5: ten calls are no crowd, whatever becomes of them", () => {
    for (const usual of [0.1, 1, RATE]) {
      const health = new MemoryHealth();
      const nowMs = steadily(health, usual, 200 / usual, 0);
      start(health, FEW);
      for (const ms of [0, 500, 5000, 9000, 60_000]) expect(asks(health, nowMs + ms)).toBe(0);
      expect(health.isFree).toBe(true);
    }
  });

  test("B5: as long as nothing is known of usual calls, there is no crowd", () => {
    const health = new MemoryHealth();
    start(health, 5000);
    for (const ms of [0, 500, 5000, 60_000]) expect(asks(health, ms)).toBe(0);
    expect(health.isQuiet).toBe(true);
  });

  test("B5: while as many answers come as usual there is no crowd, however many calls are under way", () => {
    const { health, nowMs: from } = inGoodWeather();
    start(health, 5000);
    let nowMs = from;
    for (let n = 0; n < 1000; n++) {
      nowMs += 1000 / RATE;
      expect(asks(health, nowMs)).toBe(0);
      health.started(target());
      health.succeeded(under(guarded, nowMs), nowMs);
    }
  });

  test("B5: a burst after a pause is no crowd, before its first answers and after them", () => {
    const { health, nowMs } = inGoodWeather();
    start(health, 500);
    const laterMs = nowMs + 60_000;
    expect(asks(health, laterMs)).toBe(0);
    for (let n = 1; n <= 40; n++) {
      health.succeeded(under(guarded), laterMs + n * 10);
      expect(asks(health, laterMs + n * 10)).toBe(0);
    }
  });

  test("B5: calls that end make room for as many others, whatever their end", () => {
    const { health, nowMs } = crowded();
    // As many as may be under way: what is above is not replaced.
    let most = 200;
    while (asks(health, nowMs) > 0) {
      health.released(under(guarded), nowMs);
      most--;
    }
    expect(most).toBeGreaterThanOrEqual(FEW);
    for (const end of [
      () => health.released(under(guarded), nowMs),
      () => health.failed(under(guarded), failureOf("server"), nowMs),
      () => health.failed(under(guarded), failureOf("unknown"), nowMs),
      () => health.failed(under(guarded), failureOf("bad_request"), nowMs),
      () => health.succeeded(under(guarded), nowMs),
    ]) {
      start(health, 1);
      expect(asks(health, nowMs)).toBeGreaterThan(0);
      end();
      expect(asks(health, nowMs)).toBe(0);
    }
  });

  test("B5: it may grow with time, so that no call waits for ever", () => {
    const { health, nowMs } = crowded(100);
    expect(asks(health, nowMs)).toBeGreaterThan(0);
    let waitedMs = 0;
    while (asks(health, nowMs + waitedMs) > 0) waitedMs += 500;
    expect(waitedMs).toBeGreaterThan(1000);
    expect(waitedMs).toBeLessThan(10 * 60_000);
  });

  test("B5: a timeout makes it smaller, but not at once again, and never to nothing", () => {
    const { health, nowMs } = crowded(100);
    asks(health, nowMs);
    /** How many calls may be under way now. */
    const room = (atMs: number): number => {
      let ended = 0;
      while (asks(health, atMs) > 0) {
        health.released(under(guarded), atMs);
        ended++;
      }
      start(health, ended);
      return 100 - ended;
    };
    const before = room(nowMs + 6000);
    const slow = failureOf("timeout");
    health.failed(under(guarded), slow, nowMs + 6000);
    start(health, 1);
    const cut = room(nowMs + 6000);
    expect(cut).toBeLessThan(before);
    for (let n = 0; n < 20; n++) health.failed(under(guarded), slow, nowMs + 6001);
    start(health, 20);
    expect(room(nowMs + 6001)).toBe(cut);
    for (let n = 1; n < 30; n++) {
      health.failed(under(guarded), slow, nowMs + n * 6000);
      start(health, 1);
    }
    expect(room(nowMs + 30 * 6000)).toBeGreaterThanOrEqual(FEW / 2);
  });

  test("B5: when answers come as usual again it is over, and those who waited come back on a ramp", () => {
    const { health, nowMs: from } = crowded(300);
    let nowMs = from;
    for (let n = 0; n < 100; n++) asks(health, nowMs);
    for (let n = 0; n < 250; n++) {
      nowMs += 1000 / RATE;
      health.succeeded(under(guarded), nowMs);
    }
    expect(asks(health, nowMs)).toBe(0);
    expect(health.isCrowded(target(), nowMs)).toBe(false);
    const letThrough = Array.from({ length: 500 }, () => asks(health, nowMs)).filter((waitMs) => waitMs === 0).length;
    expect(letThrough).toBeGreaterThan(0);
    expect(letThrough).toBeLessThan(RATE);
    // The ramp is over when no call asks any more.
    for (let n = 0; n < 50; n++) health.succeeded(under(guarded), nowMs);
    expect(asks(health, nowMs + 10_000)).toBe(0);
    expect(health.isFree).toBe(true);
  });

  test("B5: when the calls have ended and no call was turned away, it is over without a ramp", () => {
    const { health, nowMs } = crowded(100);
    expect(asks(health, nowMs - 999)).toBe(0);
    for (let n = 0; n < 100; n++) health.released(under(guarded), nowMs);
    expect(asks(health, nowMs)).toBe(0);
    expect([health.isQuiet, health.isFree]).toEqual([true, true]);
  });

  test("B5: retries and first attempts wait alike, and a retry that waits spends no token", () => {
    const both = policyOf({
      breaker: guarded.breaker,
      budget: { capacity: 1, capacitySeconds: 0, refillPerSecond: 0 },
    });
    const { health, nowMs } = crowded();
    for (let n = 0; n < 5; n++) expect(health.admit(target(), both, nowMs, true)).toBeGreaterThan(0);
    for (let n = 0; n < 200; n++) health.released(under(both), nowMs);
    expect(health.admit(target(), both, nowMs, true)).toBe(0);
  });
});

type Ending = "countAnswer" | "succeeded" | "released" | FailureKind;

describe("B5: calls under way", () => {
  const ending = fc.constantFrom<Ending>("countAnswer", "succeeded", "released", ...FAILURE_KINDS);

  test("B5: after all calls have ended, whatever their ends, none is counted any more", () => {
    fc.assert(
      fc.property(fc.array(ending, { minLength: 100, maxLength: 400 }), fc.boolean(), (endings, hasBreaker) => {
        const { health, nowMs: from } = inGoodWeather();
        const policy = hasBreaker ? guarded : plain;
        let nowMs = from;
        for (const end of endings) {
          nowMs += 1;
          health.started(target());
          if (end === "countAnswer") health.countAnswer(target(), { roughNow: () => nowMs });
          else if (end === "succeeded") health.succeeded(under(policy), nowMs);
          else if (end === "released") health.released(under(policy), nowMs);
          else health.failed(under(policy), failureOf(end), nowMs);
        }
        // An outage is over, and all is well.
        nowMs = asking(health, 60, nowMs + 60_000);
        start(health, FEW);
        expect(asks(health, nowMs + 1000)).toBe(0);
        expect(health.isFree).toBe(true);
        // One more may be suspicious: none was counted less than it should be.
        start(health, 500);
        expect(asks(health, nowMs + 1000)).toBeGreaterThan(0);
      }),
      // Nothing but errors opens the breaker for certain; endings by chance rarely do.
      { numRuns: often(25, 1000), examples: [[Array.from({ length: 100 }, () => "server"), true]] },
    );
  });

  test("B5: ends of calls that were never counted do not make room for a crowd", () => {
    const { health, nowMs } = inGoodWeather();
    for (let n = 0; n < 1000; n++) health.released(under(guarded), nowMs);
    start(health, 200);
    expect(asks(health, nowMs + 1000)).toBeGreaterThan(0);
  });

  test("B7: in good weather a call reads the clock once in several answers, and nothing else happens", () => {
    const health = new MemoryHealth();
    let reads = 0;
    let nowMs = 0;
    const now = (): number => {
      reads++;
      return nowMs;
    };
    for (let n = 0; n < 8000; n++) {
      nowMs += 1;
      health.started(target());
      health.countAnswer(target(), { roughNow: now });
      expect(health.isQuiet).toBe(true);
    }
    expect(reads).toBeGreaterThan(0);
    expect(reads).toBeLessThanOrEqual(1000);
  });
});
