import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  askPace,
  newPace,
  type Pace,
  paceAfterAcceptance,
  paceAfterAnswer,
  paceAfterEnd,
  paceAfterLimits,
  paceAfterRefusal,
  paceAfterStart,
  paceFreeInMs,
  paceRate,
  paceReason,
} from "../../../src/kernel/health/pace.ts";
import { createRandom } from "../../../src/simulator/world/random.ts";
import { bucketLimit, type Limiter, noise, runPaced, windowLimit } from "./paced-world.ts";

const SPEC = { first: 4, most: 50 };

describe("the pace against a limit of 600 a minute", () => {
  const limits: readonly (readonly [string, () => Limiter])[] = [
    ["a window of a minute", () => windowLimit(600, 60_000)],
    ["a window of a minute with headers", () => windowLimit(600, 60_000, { hasHeaders: true })],
    ["a window of a minute without hints", () => windowLimit(600, 60_000, { hasHint: false })],
    ["a window of ten seconds", () => windowLimit(100, 10_000)],
    ["a window of a second", () => windowLimit(10, 1000)],
    ["a bucket of 600", () => bucketLimit(10, 600)],
    ["a bucket of 600 with headers", () => bucketLimit(10, 600, { hasHeaders: true })],
    ["a bucket of 600 without hints", () => bucketLimit(10, 600, { hasHint: false })],
    ["a bucket of 10", () => bucketLimit(10, 10)],
  ];
  test.each(limits)(
    "B5: %s: at least 90 % of the limit is used, and at most 2 % of the calls are refused",
    (_, limit) => {
      const { perSecond, refusedShare } = runPaced(limit(), { calls: 10_000 });
      expect(perSecond).toBeGreaterThan(9);
      expect(refusedShare).toBeLessThan(0.02);
    },
  );

  test("B5: with headers no call is refused", () => {
    expect(runPaced(windowLimit(600, 60_000, { hasHeaders: true }), { calls: 3000 }).refusedShare).toBe(0);
    expect(runPaced(bucketLimit(10, 600, { hasHeaders: true }), { calls: 3000 }).refusedShare).toBe(0);
  });

  test("B5: four processes that share the limit and nothing else stay within it, too", () => {
    const { perSecond, refusedShare } = runPaced(windowLimit(600, 60_000), { calls: 10_000, processes: 4 });
    expect(perSecond).toBeGreaterThan(9);
    expect(refusedShare).toBeLessThan(0.02);
  });

  test("B5: a limit of 40 a minute is found as well", () => {
    const { perSecond, refusedShare } = runPaced(windowLimit(40, 60_000), { calls: 1500 });
    expect(perSecond * 60).toBeGreaterThan(36);
    expect(refusedShare).toBeLessThan(0.02);
  });

  test("B5: calls that are refused by chance slow nothing down", () => {
    const random = createRandom(5);
    const free = runPaced(() => ({ isAccepted: true }), { calls: 10_000 });
    const noisy = runPaced(noise(0.15, random, 1000), { calls: 10_000 });
    expect(noisy.perSecond).toBeGreaterThan(free.perSecond * 0.8);
  });

  test("B5: without a limit all allowed calls are used, and no more", () => {
    const { perSecond, mostUnderWay } = runPaced(() => ({ isAccepted: true }), { calls: 10_000, most: 20 });
    expect(mostUnderWay).toBe(20);
    expect(perSecond).toBeGreaterThan(20 / 0.55);
  });
});

/** What can happen to a pace. */
type Step =
  | { readonly type: "ask" | "answer" | "end" | "accept" | "pass" | "limits"; readonly n: number }
  | {
      readonly type: "refuse";
      readonly n: number;
      readonly of: "rate" | "width" | "either";
      readonly hintMs: number | undefined;
    };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constantFrom("ask", "answer", "end", "accept", "pass", "limits"), n: fc.nat(10_000) }),
  fc.record({
    type: fc.constant("refuse"),
    n: fc.nat(10_000),
    of: fc.constantFrom("rate", "width", "either"),
    hintMs: fc.option(fc.nat(100_000), { nil: undefined }),
  }),
) as fc.Arbitrary<Step>;

interface Course {
  readonly pace: Pace;
  readonly nowMs: number;
}

function play(steps: readonly Step[], look: (course: Course) => void): Course {
  let pace = newPace(SPEC);
  let nowMs = 1000;
  for (const one of steps) {
    const startedMs = Math.max(0, nowMs - one.n);
    if (one.type === "ask") {
      const asked = askPace(pace, nowMs);
      pace = asked.waitMs === 0 ? paceAfterStart(asked.pace) : asked.pace;
      expect(asked.waitMs).toBeGreaterThanOrEqual(0);
      expect(Number.isFinite(asked.waitMs)).toBe(true);
    } else if (one.type === "pass") nowMs += one.n;
    else if (one.type === "limits") {
      const limits = { requests: { limit: 100, remaining: one.n % 100, resetMs: 1 + one.n } };
      pace = paceAfterLimits(pace, limits, 0, nowMs);
    } else if (pace.underWay > 0) {
      if (one.type === "answer") pace = paceAfterAnswer(pace, startedMs, nowMs);
      if (one.type === "end") pace = paceAfterEnd(pace);
      if (one.type === "accept") pace = paceAfterAcceptance(pace, startedMs, nowMs);
      if (one.type === "refuse") pace = paceAfterRefusal(pace, { of: one.of, startedMs, hintMs: one.hintMs }, nowMs);
    }
    look({ pace, nowMs });
  }
  return { pace, nowMs };
}

describe("the pace, whatever happens", () => {
  test("B5: never is anything negative, and never are more calls under way than allowed", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        play(steps, ({ pace, nowMs }) => {
          expect(pace.underWay).toBeGreaterThanOrEqual(0);
          expect(pace.underWay).toBeLessThanOrEqual(SPEC.most);
          expect(pace.width.calls).toBeGreaterThanOrEqual(1);
          expect(pace.width.calls).toBeLessThanOrEqual(SPEC.most);
          expect(paceRate(pace, nowMs)).toBeGreaterThan(0);
          expect(paceFreeInMs(pace, nowMs)).toBeGreaterThanOrEqual(0);
        });
      }),
    );
  });

  test("B5: it never gets stuck: with nothing under way, whoever asks again as told is let through within two minutes", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        let { pace, nowMs } = play(steps, () => undefined);
        while (pace.underWay > 0) pace = paceAfterEnd(pace);
        const fromMs = nowMs;
        for (let asked = askPace(pace, nowMs); asked.waitMs > 0; asked = askPace(pace, nowMs)) {
          pace = asked.pace;
          nowMs += asked.waitMs;
          expect(nowMs - fromMs).toBeLessThan(200_000);
        }
      }),
    );
  });

  test("B5: it is fair: no one waits for much more than twice as long as those before it need, and no place is left unused", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 1, max: 20 }), (callers, perSecond) => {
        let pace: Pace = { ...newPace(SPEC), rate: { ...newPace(SPEC).rate, perSecond, ceiling: perSecond } };
        const waiting = Array.from({ length: callers }, (_, n) => ({ n, cameMs: 1000 + n * 37, atMs: 1000 + n * 37 }));
        let lastMs = 0;
        while (waiting.length > 0) {
          waiting.sort((a, b) => a.atMs - b.atMs);
          const { n, cameMs, atMs } = waiting.shift() ?? { n: 0, cameMs: 0, atMs: 0 };
          const { pace: next, waitMs } = askPace(pace, atMs);
          pace = next;
          if (waitMs > 0) waiting.push({ n, cameMs, atMs: atMs + waitMs });
          else expect(atMs - cameMs).toBeLessThan((2 * (n + 2) * 1000) / perSecond + 1000);
          lastMs = atMs;
        }
        expect(lastMs).toBeLessThan(1000 + callers * 37 + ((callers + 2) / perSecond) * 1000 * 1.2 + 500);
      }),
    );
  });
});

describe("what the pace says", () => {
  test("B5: a call that is refused alone holds nothing back; two in a row with a hint hold until it is over", () => {
    let pace = newPace(SPEC);
    for (let n = 0; n < 3; n++) pace = paceAfterStart(pace);
    pace = paceAfterAnswer(pace, 0, 100);
    pace = paceAfterRefusal(pace, { of: "rate", startedMs: 50, hintMs: 5000 }, 120);
    expect(paceReason(pace, 120)).toBeUndefined();
    pace = paceAfterRefusal(pace, { of: "rate", startedMs: 60, hintMs: 5000 }, 130);
    expect(paceReason(pace, 130)).toBe("refused");
    expect(paceFreeInMs(pace, 130)).toBe(5000);
    expect(paceReason(pace, 5130)).not.toBe("refused");
  });

  test("B5: headers that leave 30 calls for a minute slow calls down to that at once", () => {
    const pace = paceAfterLimits(newPace(SPEC), { requests: { remaining: 30, resetMs: 60_000 } }, 0, 1000);
    expect(paceRate(pace, 1000) * 60).toBeCloseTo(29.1, 1);
    expect(paceRate(pace, 61_000)).toBe(Number.POSITIVE_INFINITY);
  });

  test("B5: headers that leave nothing hold calls back until their reset, those who wait already as well, and no longer", () => {
    let pace = paceAfterLimits(newPace(SPEC), { requests: { remaining: 0, resetMs: 300 } }, 0, 1000);
    pace = paceAfterStart(askPace(pace, 1000).pace);
    const first = askPace(pace, 1010);
    const second = askPace(first.pace, 1020);
    expect([first.waitMs, second.waitMs].every((waitMs) => waitMs > 200 && waitMs < 600)).toBe(true);
    expect(askPace(second.pace, 1010 + first.waitMs).waitMs).toBe(0);
  });

  test("B5: a limit on tokens counts by what a call takes", () => {
    const limits = { requests: { remaining: 1000, resetMs: 60_000 }, tokens: { remaining: 6000, resetMs: 60_000 } };
    expect(paceRate(paceAfterLimits(newPace(SPEC), limits, 100, 0), 0) * 60).toBeCloseTo(58.2, 1);
    expect(paceRate(paceAfterLimits(newPace(SPEC), limits, 0, 0), 0) * 60).toBeCloseTo(970, 0);
  });

  test("B5: an overload halves nothing by itself; a second one in a row makes it narrower", () => {
    let pace = newPace(SPEC);
    for (let n = 0; n < 4; n++) pace = paceAfterStart(pace);
    pace = paceAfterRefusal(pace, { of: "width", startedMs: 0, hintMs: undefined }, 10);
    expect(pace.width.calls).toBe(4);
    pace = paceAfterRefusal(pace, { of: "width", startedMs: 0, hintMs: undefined }, 20);
    expect(pace.width.calls).toBeLessThan(4);
    expect(pace.width.calls).toBeGreaterThanOrEqual(2);
  });
});
