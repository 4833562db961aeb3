import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  hasRampFailed,
  isRampFree,
  isRampOver,
  type Ramp,
  rampAfterAdmission,
  rampAfterDenial,
  rampAfterFailure,
  rampAfterRelease,
  rampAfterSuccess,
  startRamp,
} from "../../../src/kernel/health/ramp.ts";
import { spreadMs } from "../../../src/kernel/health/spread.ts";

const RAMP_MS = 30_000;

interface Asked {
  readonly ramp: Ramp;
  readonly letThrough: number;
}

/** So many ask at the same moment. */
function ask(from: Ramp, asking: number, nowMs: number): Asked {
  let ramp = from;
  let letThrough = 0;
  for (let n = 0; n < asking; n++) {
    const isFree = isRampFree(ramp, RAMP_MS, nowMs);
    ramp = isFree ? rampAfterAdmission(ramp, RAMP_MS, nowMs) : rampAfterDenial(ramp, RAMP_MS, nowMs);
    if (isFree) letThrough++;
  }
  return { ramp, letThrough };
}

const afterSuccesses = (ramp: Ramp, count: number): Ramp =>
  Array.from({ length: count }).reduce<Ramp>(rampAfterSuccess, ramp);

describe("B5: the way back as a value", () => {
  test("B5: admits five of a thousand simultaneous calls, and without an answer only five per second", () => {
    const first = ask(startRamp(0, 0), 1000, 0);
    expect(first.letThrough).toBe(5);
    let { ramp } = first;
    for (let nowMs = 1000; nowMs <= 5000; nowMs += 1000) {
      const next = ask(ramp, 1000, nowMs);
      expect(next.letThrough).toBe(5);
      ramp = next.ramp;
    }
  });

  test("B5: one user is no herd: one call after another goes at once, however fast", () => {
    let ramp = startRamp(0, 0);
    for (let nowMs = 0; nowMs < 2000; nowMs += 10) {
      const { letThrough, ramp: next } = ask(ramp, 1, nowMs);
      expect(letThrough).toBe(1);
      ramp =
        nowMs % 20 === 0 ? rampAfterSuccess(next) : nowMs % 30 === 0 ? rampAfterFailure(next) : rampAfterRelease(next);
    }
    expect(ramp.underWay).toBe(0);
    expect(rampAfterSuccess(ramp).underWay).toBe(0);
  });

  test("B5: admits a growing share of calls as answers arrive", () => {
    let ramp = startRamp(0, 0);
    const counts: number[] = [];
    for (let nowMs = 1000; nowMs <= 25_000; nowMs += 1000) {
      let count = 0;
      for (let n = 0; n < 100; n++) {
        const asked = ask({ ...afterSuccesses(ramp, 1), underWay: 99 }, 1, nowMs + n * 10);
        ramp = asked.ramp;
        count += asked.letThrough;
      }
      counts.push(count);
    }
    expect(counts[0]).toBeLessThan(20);
    expect(counts[9]).toBeGreaterThan(30);
    expect(counts[9]).toBeLessThan(50);
    expect(counts[24]).toBeGreaterThan(80);
  });

  test("B5: each answer earns three calls, up to fifty ahead; a failure halves what is left", () => {
    const start = startRamp(0, 0);
    expect(start.credit).toBe(3);
    expect(rampAfterSuccess(start)).toMatchObject({ credit: 6, successes: 2, failuresInRow: 0 });
    expect(afterSuccesses(start, 99).credit).toBe(50);
    expect(rampAfterFailure(afterSuccesses(start, 99))).toMatchObject({ credit: 25, failures: 1, failuresInRow: 1 });
    expect(rampAfterFailure(start).credit).toBe(1);
    expect(rampAfterSuccess(rampAfterFailure(start)).failuresInRow).toBe(0);
    expect(rampAfterRelease(start).credit).toBe(4);
    expect(rampAfterRelease(afterSuccesses(start, 99)).credit).toBe(50);
  });

  test("B5: it is over after its time, or when no call was turned away for three seconds", () => {
    const start = startRamp(0, 700);
    expect([0, 3699, 3700].map((nowMs) => isRampOver(start, RAMP_MS, nowMs))).toEqual([false, false, true]);
    const late = rampAfterDenial(start, RAMP_MS, 3000);
    expect([3700, 5999, 6000].map((nowMs) => isRampOver(late, RAMP_MS, nowMs))).toEqual([false, false, true]);
    const long = rampAfterDenial(start, RAMP_MS, RAMP_MS);
    expect(isRampOver(long, RAMP_MS, RAMP_MS)).toBe(true);
    expect(isRampOver(start, 0, 0)).toBe(true);
  });

  test("B5: its time does not pass while there is nothing to be had", () => {
    const empty = { ...startRamp(0, 0), credit: 0 };
    expect(rampAfterDenial(empty, RAMP_MS, RAMP_MS).openMs).toBe(0);
    expect(rampAfterAdmission(empty, RAMP_MS, RAMP_MS).openMs).toBe(0);
    expect(rampAfterDenial(startRamp(0, 0), RAMP_MS, 900).openMs).toBe(900);
    expect(rampAfterAdmission(startRamp(0, 0), RAMP_MS, 900).openMs).toBe(900);
  });

  test("B5: it has failed when more went wrong than well, or enough in a row", () => {
    const start = startRamp(0, 0);
    const wrong = (ramp: Ramp, count: number): Ramp =>
      Array.from({ length: count }).reduce<Ramp>(rampAfterFailure, ramp);
    expect(hasRampFailed(wrong(start, 1), 5)).toBe(false);
    expect(hasRampFailed(wrong(start, 2), 5)).toBe(true);
    expect(hasRampFailed(wrong(afterSuccesses(start, 20), 4), 5)).toBe(false);
    expect(hasRampFailed(wrong(afterSuccesses(start, 20), 5), 5)).toBe(true);
  });
});

type Step = "ask" | "success" | "failure" | "release" | number;

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.constantFrom<Step>("ask", "ask", "ask", "success", "failure", "release"),
    fc.integer({ min: 1, max: 2000 }),
  ),
  { maxLength: 200 },
);

describe("B5: the way back under any sequence of events", () => {
  test("B5: never more go than the trickle and the answers allow, and its figures stay sane", () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 60_000 }), (sequence, rampMs) => {
        let ramp = startRamp(0, 0);
        let nowMs = 0;
        let gone = 0;
        let earned = 3;
        for (const step of sequence) {
          if (typeof step === "number") nowMs += step;
          else if (step === "success") ramp = rampAfterSuccess(ramp);
          else if (step === "failure") ramp = rampAfterFailure(ramp);
          else if (step === "release") ramp = rampAfterRelease(ramp);
          else if (isRampFree(ramp, rampMs, nowMs)) {
            ramp = rampAfterAdmission(ramp, rampMs, nowMs);
            gone++;
          } else ramp = rampAfterDenial(ramp, rampMs, nowMs);
          // One that has ended makes room for another.
          if (step === "success") earned += 4;
          if (step === "release") earned += 2;
          if (step === "failure") earned++;
          expect(gone).toBeLessThanOrEqual(earned + 5 + (nowMs / 1000) * 5 + 1e-6);
          expect(ramp.credit).toBeGreaterThanOrEqual(0);
          expect(ramp.credit).toBeLessThanOrEqual(50);
          expect(ramp.trickle).toBeGreaterThanOrEqual(0);
          expect(ramp.trickle).toBeLessThanOrEqual(5);
          expect(ramp.share).toBeGreaterThanOrEqual(0);
          expect(ramp.underWay).toBeGreaterThanOrEqual(0);
          expect(ramp.openMs).toBeLessThanOrEqual(nowMs);
          // A call that comes back a second later finds a place.
          expect(isRampFree(ramp, rampMs, nowMs + 1000)).toBe(true);
        }
      }),
    );
  });

  test("B5: waits are spread evenly over a second: of n no two are closer than a third of their share", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1000 }), (count) => {
        const waits = Array.from({ length: count }, (_, n) => spreadMs(n)).sort((a, b) => a - b);
        expect(waits[0]).toBe(0);
        expect(waits.at(-1)).toBeLessThan(1000);
        waits.slice(1).forEach((waitMs, n) => {
          expect(waitMs - (waits[n] ?? 0)).toBeGreaterThan(1000 / count / 3);
        });
      }),
      { numRuns: 50 },
    );
  });
});
