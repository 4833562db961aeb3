import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type HealthParts, MemoryHealth } from "../../../src/kernel/health/memory-health.ts";
import {
  isOverdue,
  keepsUp,
  LOT,
  NO_TRAFFIC,
  type Traffic,
  trafficAfterLot,
  trafficAtLeast,
} from "../../../src/kernel/health/traffic.ts";
import { guarded, policyOf, retries, steadily, target } from "./fixtures.ts";

interface Weather {
  readonly perSecond: number;
  readonly seconds: number;
  readonly underWay?: number;
  readonly isUsual?: boolean;
}

/** So many answers a second for some time. Returns when it is over, too. */
function learned(from: Traffic, startMs: number, weather: Weather): { traffic: Traffic; nowMs: number } {
  const { perSecond, seconds, underWay = perSecond, isUsual = true } = weather;
  let traffic = from;
  let nowMs = startMs;
  while (nowMs < startMs + seconds * 1000) {
    nowMs += (LOT * 1000) / perSecond;
    traffic = trafficAfterLot(traffic, underWay, isUsual, nowMs);
  }
  return { traffic, nowMs };
}

describe("B5: what is usual", () => {
  test("B5: a process that is limited in its first moments learns from what gets through that more is usual", () => {
    const health = new MemoryHealth();
    const limitedMs = steadily(health, 10, 2, 0) + 2;
    health.coolDown(target(), "credential", limitedMs - 1);
    expect(health.admit(target(), guarded, limitedMs, false)).toBe(0);
    steadily(health, 500, 2, limitedMs);
    const { flowOf } = health.parts() as HealthParts;
    expect(flowOf(target().provider).usual.perSecond).toBeGreaterThan(300);
  });

  test("B5: what has lasted is not raised by those who come back after a limit", () => {
    const lasting = { ...NO_TRAFFIC, perSecond: 10, underWay: 10, latest: 50, forMs: 60_000 };
    expect(trafficAtLeast(lasting, 99)).toBe(lasting);
    const glimpse = { ...lasting, forMs: 500 };
    expect(trafficAtLeast(glimpse, 99)).toMatchObject({ perSecond: 50, underWay: 99, forMs: 500 });
    expect(trafficAtLeast({ ...glimpse, latest: 9 }, 99).perSecond).toBe(10);
  });

  test("B5: nothing is known before two lots of answers", () => {
    const first = trafficAfterLot(NO_TRAFFIC, 3, true, 1000);
    expect(first.perSecond).toBe(0);
    expect(isOverdue(first, 9000)).toBe(false);
    expect(trafficAfterLot(first, 3, true, 2000)).toMatchObject({ perSecond: LOT, underWay: 3, latest: LOT });
  });

  test.each([0.1, 1, 20, 100, 5000])("B5: a steady rate of %d answers a second is known as such", (perSecond) => {
    const seconds = Math.max(60, 400 / perSecond);
    const { traffic, nowMs } = learned(NO_TRAFFIC, 0, { perSecond, seconds, underWay: 7 });
    expect(traffic.perSecond).toBeGreaterThan(perSecond * 0.95);
    expect(traffic.perSecond).toBeLessThan(perSecond * 1.05);
    expect(traffic.underWay).toBeCloseTo(7);
    expect(keepsUp(traffic, nowMs)).toBe(true);
  });

  test("B5: more traffic becomes usual within a minute, less of it later, because that is how outages begin", () => {
    const { traffic, nowMs } = learned(NO_TRAFFIC, 0, { perSecond: 100, seconds: 60 });
    const more = learned(traffic, nowMs, { perSecond: 200, seconds: 60 }).traffic;
    expect(more.perSecond).toBeGreaterThan(190);
    const less = learned(traffic, nowMs, { perSecond: 50, seconds: 10 }).traffic;
    expect(less.perSecond).toBeGreaterThan(75);
    // While few answers come, many calls under way are a queue.
    expect(learned(traffic, nowMs, { perSecond: 50, seconds: 10, underWay: 900 }).traffic.underWay).toBeLessThan(200);
    expect(learned(traffic, nowMs, { perSecond: 50, seconds: 300 }).traffic.perSecond).toBeLessThan(60);
  });

  test("B5: after a busy day a quiet night becomes usual", () => {
    const { traffic, nowMs } = learned(NO_TRAFFIC, 0, { perSecond: 100, seconds: 60 });
    expect(learned(traffic, nowMs, { perSecond: 0.1, seconds: 12 * 3600 }).traffic.perSecond).toBeLessThan(1);
  });

  test("B5: while calls are held back nothing is learned but how many answers come now", () => {
    const { traffic, nowMs } = learned(NO_TRAFFIC, 0, { perSecond: 100, seconds: 60 });
    const { traffic: held, nowMs: laterMs } = learned(traffic, nowMs, { perSecond: 10, seconds: 30, isUsual: false });
    expect(held).toMatchObject({ perSecond: traffic.perSecond, underWay: traffic.underWay });
    expect(held.latest).toBeCloseTo(10);
    expect(keepsUp(held, laterMs)).toBe(false);
  });

  test("B5: answers are overdue when less than half of the usual come, but not after a pause", () => {
    const { traffic, nowMs } = learned(NO_TRAFFIC, 0, { perSecond: 100, seconds: 60 });
    expect([0, 50, 100].map((ms) => isOverdue(traffic, nowMs + ms))).toEqual([false, false, false]);
    expect([500, 5000].map((ms) => isOverdue(traffic, nowMs + ms))).toEqual([true, true]);
    expect([11_000, 3_600_000].map((ms) => isOverdue(traffic, nowMs + ms))).toEqual([false, false]);
    const slow = learned(traffic, nowMs, { perSecond: 30, seconds: 2 });
    expect(isOverdue(slow.traffic, slow.nowMs)).toBe(true);
    const enough = learned(traffic, nowMs, { perSecond: 70, seconds: 2 });
    expect(isOverdue(enough.traffic, enough.nowMs)).toBe(false);
  });

  test("B5: a clock that is a moment behind the last lot of answers shows nothing overdue", () => {
    const { traffic } = learned(NO_TRAFFIC, 0, { perSecond: 100, seconds: 60 });
    const beforeMs = (traffic.sinceMs ?? 0) - 1;
    expect(isOverdue(traffic, beforeMs)).toBe(false);
    expect(keepsUp(traffic, beforeMs)).toBe(true);
  });

  test("B5: a provider that gives no answer at all does not keep up, though no lot is complete", () => {
    const { traffic, nowMs } = learned(NO_TRAFFIC, 0, { perSecond: 100, seconds: 60 });
    expect([0, 50, 500, 60_000].map((ms) => keepsUp(traffic, nowMs + ms))).toEqual([true, true, false, false]);
    expect(keepsUp(NO_TRAFFIC, 0)).toBe(true);
  });

  test("B5: the first answers after a pause show nothing: the time of the pause does not count as slowness", () => {
    const { traffic, nowMs } = learned(NO_TRAFFIC, 0, { perSecond: 100, seconds: 60 });
    const back = trafficAfterLot(traffic, 500, true, nowMs + 60_000);
    expect(isOverdue(back, nowMs + 60_001)).toBe(false);
    expect(keepsUp(back, nowMs + 60_001)).toBe(true);
    // From then on it is measured again.
    expect(isOverdue(back, nowMs + 61_000)).toBe(true);
    // While calls are held back it was no pause.
    expect(keepsUp(trafficAfterLot(traffic, 500, false, nowMs + 60_000), nowMs + 60_001)).toBe(false);
  });

  test("B5: its figures stay finite and not negative under any sequence of lots", () => {
    const lot = fc.record({
      afterMs: fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 100_000 })),
      underWay: fc.nat({ max: 10_000 }),
      isUsual: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(lot, { maxLength: 60 }), (lots) => {
        let traffic = NO_TRAFFIC;
        let nowMs = 0;
        for (const { afterMs, underWay, isUsual } of lots) {
          nowMs += afterMs;
          traffic = trafficAfterLot(traffic, underWay, isUsual, nowMs);
          for (const figure of [traffic.perSecond, traffic.underWay, traffic.latest]) {
            expect(Number.isFinite(figure)).toBe(true);
            expect(figure).toBeGreaterThanOrEqual(0);
          }
          expect(isOverdue(traffic, nowMs) && keepsUp(traffic, nowMs)).toBe(false);
        }
      }),
    );
  });
});

describe("B5: what is usual for a provider", () => {
  test("B5: it is learned although another key or provider is held back for a day", () => {
    const health = new MemoryHealth();
    const limited = target("a", "m", "another");
    health.coolDown(limited, "credential", 86_400_000);
    const from = steadily(health, 10, 20, 0);
    const to = steadily(health, 100, 60, from);
    // Ten times as many calls a second as at first, so there is room for ten times as many retries.
    const paced = policyOf({ budget: { capacity: 1, capacitySeconds: 1, refillPerSuccess: 0, refillPerSecond: 0 } });
    expect(retries(health, paced, 1000, to)).toBeGreaterThan(60);
  });
});
