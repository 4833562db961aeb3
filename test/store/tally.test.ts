import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addOutcome, MOST_OUTCOMES, NO_TALLY, type Tally } from "../../src/store/tally.ts";

const outcome = fc.record({ ok: fc.boolean(), waitedMs: fc.integer({ min: 0, max: 1_000_000 }) });
const history = fc.array(outcome, { maxLength: 1000, size: "max" });
const told = (
  outcomes: readonly { readonly ok: boolean; readonly waitedMs: number }[],
  before: Tally = NO_TALLY,
): Tally => outcomes.reduce(addOutcome, before);
const many = (count: number, ok: boolean, waitedMs = 0) => Array.from({ length: count }, () => ({ ok, waitedMs }));
const rateOf = ({ successes, failures }: Tally): number => successes / (successes + failures);

describe("what is learned from retries", () => {
  test("C10: up to the bound every outcome counts as one", () => {
    expect(told([...many(60, true, 10), ...many(40, false, 99)])).toEqual({
      successes: 60,
      failures: 40,
      waitedMs: 600,
    });
  });

  test("C10: counts are always whole, never negative and never over the bound", () => {
    fc.assert(
      fc.property(history, (outcomes) => {
        const { successes, failures, waitedMs } = told(outcomes);
        for (const count of [successes, failures]) expect(Number.isInteger(count) && count >= 0).toBe(true);
        expect(successes + failures).toBeLessThanOrEqual(MOST_OUTCOMES);
        expect(waitedMs).toBeGreaterThanOrEqual(0);
        if (successes === 0) expect(waitedMs).toBe(0);
      }),
    );
  });

  test("C10: the newest outcome always counts, and in its own direction", () => {
    fc.assert(
      fc.property(history, fc.nat(1000), (outcomes, waitedMs) => {
        const before = told(outcomes);
        expect(told([{ ok: true, waitedMs }], before).successes).toBeGreaterThan(0);
        expect(told([{ ok: false, waitedMs }], before).failures).toBeGreaterThan(0);
      }),
    );
  });

  test("C10: as many successes as the bound outweigh any number of failures", () => {
    fc.assert(
      fc.property(fc.nat(100_000), (failures) => {
        const bad = told(many(MOST_OUTCOMES, false), { successes: 0, failures, waitedMs: 0 });
        expect(rateOf(told(many(MOST_OUTCOMES, true), bad))).toBeGreaterThan(0.6);
      }),
      { numRuns: 30 },
    );
  });

  test("C10: a constant rate is learned and stays", () => {
    const cycle = [...many(3, true, 1000), ...many(1, false)];
    for (const cycles of [20, 25, 26, 100, 1001]) {
      const tally = told(Array.from({ length: cycles }, () => cycle).flat());
      expect(rateOf(tally)).toBeGreaterThan(0.7);
      expect(rateOf(tally)).toBeLessThan(0.8);
      expect(tally.waitedMs / tally.successes).toBeCloseTo(1000);
    }
  });

  test("C10: counts of an earlier version that exceed the bound shrink to it", () => {
    let tally: Tally = { successes: 1_000_000, failures: 3_000_000, waitedMs: 5_000_000 };
    for (let n = 0; n < 20; n++) tally = addOutcome(tally, { ok: n % 4 === 0, waitedMs: 5 });
    expect(tally.successes + tally.failures).toBeLessThanOrEqual(MOST_OUTCOMES);
    expect(rateOf(tally)).toBeCloseTo(0.25, 1);
    expect(tally.waitedMs / tally.successes).toBeCloseTo(5);
  });
});
