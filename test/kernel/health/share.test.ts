import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isDown,
  isForgotten,
  type Share,
  shareAfterAnswer,
  shareAfterFailure,
  startShare,
  withUsual,
} from "../../../src/kernel/health/share.ts";
import { seeded } from "./fixtures.ts";

const spec = { failures: 5, leastShare: 0.4, cooldownMs: 1000, maxCooldownMs: 8000, rampMs: 30_000 };

/** When calls at this rate would be held back, of which so many fail by chance; undefined: not within a minute. */
function downAfterMs(perSecond: number, failing: number, random: () => number): number | undefined {
  let share: Share | undefined;
  for (let nowMs = 0; nowMs < 60_000; nowMs += 1000 / perSecond) {
    if (random() >= failing) share &&= shareAfterAnswer(share, nowMs);
    else {
      share = shareAfterFailure(share ?? startShare(perSecond, nowMs), nowMs);
      if (isDown(share, spec)) return nowMs;
    }
    if (share !== undefined && isForgotten(share)) share = undefined;
  }
  return undefined;
}

describe("B5: the share of answers", () => {
  test.each([50, 100, 1000])(
    "B5: with 30 %% of failures by chance at %i calls a second nothing is held back",
    (rate) => {
      for (let seed = 1; seed <= 5; seed++) expect(downAfterMs(rate, 0.3, seeded(seed))).toBeUndefined();
    },
  );

  test.each([10, 50, 100, 1000])(
    "B5: when everything fails at %i calls a second, that is known within a second",
    (rate) => {
      const downMs = downAfterMs(rate, 1, () => 0);
      expect(downMs).toBeGreaterThan(0);
      expect(downMs).toBeLessThanOrEqual(1000);
    },
  );

  test("B5: for one user, five failures in a row are an outage, however far apart, and four are not", () => {
    for (const everyMs of [0, 1, 100, 10_000]) {
      let share = startShare(0, 0);
      for (let n = 1; n <= 5; n++) {
        share = shareAfterFailure(share, n * everyMs);
        expect(isDown(share, spec)).toBe(n === 5);
      }
    }
  });

  test("B5: failures of one moment are one sign where earlier calls are known, and two moments are two", () => {
    let share = startShare(1000, 0);
    for (let n = 0; n < 500; n++) share = shareAfterFailure(share, 100);
    expect(isDown(share, spec)).toBe(false);
    expect(isDown(shareAfterFailure(share, 150), spec)).toBe(true);
  });

  test("B5: an answer ends a row, and enough of them are all that is remembered", () => {
    let share = startShare(0, 0);
    for (let n = 0; n < 5; n++) share = shareAfterFailure(share, n);
    share = shareAfterAnswer(share, 5);
    expect(isDown(share, spec)).toBe(false);
    expect(isForgotten(share)).toBe(false);
    for (let n = 0; n < 500; n++) share = shareAfterAnswer(share, 10 + n);
    expect(isForgotten(share)).toBe(true);
  });

  test("B5: what happened a minute ago does not count any more", () => {
    const failed = shareAfterFailure(startShare(1000, 0), 0);
    expect(shareAfterFailure(failed, 60_000).answered).toBeCloseTo(0);
    expect(isForgotten(shareAfterAnswer(failed, 60_000))).toBe(true);
  });

  test("B5: a clock of answers that is behind the one of failures does not change the share", () => {
    const sharedAfter = (lagMs: number): Share => {
      let share = startShare(100, 0);
      for (let n = 0; n < 200; n++) {
        share = n % 3 === 0 ? shareAfterFailure(share, n * 10) : shareAfterAnswer(share, n * 10 - lagMs);
      }
      return share;
    };
    expect(sharedAfter(0).answered).toBeGreaterThan(0.6);
    expect(sharedAfter(100).answered).toBeCloseTo(sharedAfter(0).answered, 2);
  });

  test("B5: the more calls are usual, the less one of them counts, within limits", () => {
    const left = (perSecond: number): number =>
      shareAfterFailure({ ...startShare(perSecond, 0), lookedMs: 0 }, 0).answered;
    expect([0, 1, 8].map(left)).toEqual([left(0), left(0), left(0)]);
    expect(left(20)).toBeGreaterThan(left(8));
    expect(left(1e6)).toBe(left(100));
    expect(left(1e6)).toBeLessThan(1);
    expect(withUsual(startShare(0, 0), 20).calls).toBe(startShare(20, 0).calls);
  });

  const outcome = fc.record({ isAnswer: fc.boolean(), afterMs: fc.oneof(fc.constant(0), fc.nat({ max: 3000 })) });
  const history = fc.array(outcome, { maxLength: 60 });
  const rate = fc.oneof(fc.constant(0), fc.double({ min: 0.01, max: 5000, noNaN: true }));

  test("B5: an answer never lowers the share and never shows an outage, a failure never raises it or ends one", () => {
    fc.assert(
      fc.property(
        history,
        rate,
        fc.integer({ min: 1, max: 8 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (all, perSecond, failures, leastShare) => {
          const rules = { ...spec, failures, leastShare };
          let share = startShare(perSecond, 0);
          let nowMs = 0;
          for (const { isAnswer, afterMs } of all) {
            nowMs += afterMs;
            const better = shareAfterAnswer(share, nowMs);
            const worse = shareAfterFailure(share, nowMs);
            expect(better.answered).toBeGreaterThanOrEqual(share.answered);
            expect(worse.answered).toBeLessThanOrEqual(share.answered);
            expect(isDown(better, rules)).toBe(false);
            if (isDown(share, rules)) expect(isDown(worse, rules)).toBe(true);
            share = isAnswer ? better : worse;
            expect(share.answered).toBeGreaterThanOrEqual(0);
            expect(share.answered).toBeLessThanOrEqual(1);
            expect(share.failuresInRow === 0).toBe(isAnswer);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test("B5: it is monotone in evidence: with one failure more in its past no history looks better", () => {
    fc.assert(
      fc.property(history, rate, fc.nat(), (all, perSecond, place) => {
        if (all.length === 0) return;
        const worseAt = place % all.length;
        let [share, worse] = [startShare(perSecond, 0), startShare(perSecond, 0)];
        let nowMs = 0;
        all.forEach(({ isAnswer, afterMs }, n) => {
          nowMs += afterMs;
          share = isAnswer ? shareAfterAnswer(share, nowMs) : shareAfterFailure(share, nowMs);
          worse = isAnswer && n !== worseAt ? shareAfterAnswer(worse, nowMs) : shareAfterFailure(worse, nowMs);
          expect(worse.answered).toBeLessThanOrEqual(share.answered + 1e-9);
          if (isDown(share, spec)) expect(isDown(worse, spec)).toBe(true);
        });
      }),
      { numRuns: 300 },
    );
  });
});
