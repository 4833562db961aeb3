import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  AFTER_LIMIT,
  AFTER_OUTAGE,
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
import { NO_TRAFFIC, type Traffic } from "../../../src/kernel/health/traffic.ts";

const RAMP_MS = 30_000;
/** With fewer under way every call may go, and so many a second at most go whatever is under way. */
const FEW = 5;
const MOST_TRICKLE = 5;
const spec = { failures: 5, leastShare: 0.4, cooldownMs: 100, maxCooldownMs: 300, rampMs: RAMP_MS };

const usually = (perSecond: number, underWay = perSecond): Traffic => ({
  perSecond,
  underWay,
  latest: perSecond,
  forMs: 60_000,
  sinceMs: 0,
  answers: 0,
});

const rampOf = (usual = NO_TRAFFIC, quietMs = 0, steepness = AFTER_OUTAGE): Ramp =>
  startRamp({ nowMs: 0, quietMs, usual, successes: 1, steepness });

interface Asked {
  readonly ramp: Ramp;
  readonly letThrough: number;
}

/** So many ask at the same moment. */
function ask(from: Ramp, asking: number, nowMs: number): Asked {
  let ramp = from;
  let letThrough = 0;
  for (let n = 0; n < asking; n++) {
    const isFree = isRampFree(ramp, nowMs);
    ramp = isFree ? rampAfterAdmission(ramp, nowMs) : rampAfterDenial(ramp, nowMs);
    if (isFree) letThrough++;
  }
  return { ramp, letThrough };
}

const repeat = (ramp: Ramp, count: number, step: (ramp: Ramp, n: number) => Ramp): Ramp =>
  Array.from({ length: count }).reduce<Ramp>((so, _, n) => step(so, n), ramp);
const afterSuccesses = (ramp: Ramp, count: number): Ramp => repeat(ramp, count, (so) => rampAfterSuccess(so, 0));
/** One after another, ten milliseconds apart. */
const afterFailures = (ramp: Ramp, count: number): Ramp =>
  repeat(ramp, count, (so, n) => rampAfterFailure(so, 10 * (n + 1)));

describe("B5: the way back as a value", () => {
  test("B5: admits five of a thousand simultaneous calls, and without an answer only five per second", () => {
    const first = ask(rampOf(), 1000, 0);
    expect(first.letThrough).toBe(FEW);
    let { ramp } = first;
    for (let nowMs = 1000; nowMs <= 5000; nowMs += 1000) {
      const next = ask(ramp, 1000, nowMs);
      expect(next.letThrough).toBe(MOST_TRICKLE);
      ramp = next.ramp;
    }
  });

  test("B5: where few calls are usual, fewer go without an answer, but one every two seconds always does", () => {
    let { ramp } = ask(rampOf(usually(0.1, 1)), 1000, 0);
    let gone = 0;
    for (let nowMs = 100; nowMs <= 20_000; nowMs += 100) {
      const next = ask(ramp, 1, nowMs);
      gone += next.letThrough;
      ramp = next.ramp;
    }
    expect(gone).toBeGreaterThanOrEqual(9);
    expect(gone).toBeLessThanOrEqual(11);
  });

  test("B5: one user is no herd: one call after another goes at once, however fast", () => {
    let ramp = rampOf();
    for (let nowMs = 0; nowMs < 2000; nowMs += 10) {
      const { letThrough, ramp: next } = ask(ramp, 1, nowMs);
      expect(letThrough).toBe(1);
      if (nowMs % 20 === 0) ramp = rampAfterSuccess(next, nowMs);
      else ramp = nowMs % 30 === 0 ? rampAfterFailure(next, nowMs) : rampAfterRelease(next);
    }
    expect(ramp.underWay).toBe(0);
    expect(rampAfterSuccess(ramp, 2000).underWay).toBe(0);
  });

  test("B5: calls come back as answers arrive, up to a pace a little above the usual, and not above it", () => {
    const usual = usually(100, 100);
    let ramp = rampOf(usual);
    const perSecond: number[] = [];
    const answers: number[] = [];
    for (let second = 0; second < 8; second++) {
      let gone = 0;
      for (let nowMs = second * 1000; nowMs < second * 1000 + 1000; nowMs += 10) {
        while ((answers[0] ?? Number.POSITIVE_INFINITY) <= nowMs)
          ramp = rampAfterSuccess(ramp, answers.shift() as number);
        const asked = ask(ramp, 20, nowMs);
        ramp = asked.ramp;
        gone += asked.letThrough;
        for (let n = 0; n < asked.letThrough; n++) answers.push(nowMs + 1000);
      }
      perSecond.push(gone);
    }
    expect(perSecond[0]).toBeLessThan(100);
    expect(perSecond[1]).toBeGreaterThan(perSecond[0] as number);
    expect(perSecond.at(-1)).toBeGreaterThan(100);
    expect(Math.max(...perSecond)).toBeLessThanOrEqual(100 * ramp.steepness.pace + MOST_TRICKLE + 2 * FEW);
  });

  test.each([0.1, 1, 10, 100])(
    "B5: calls that are answered at once do not bring others back faster, with %d calls a second",
    (perSecond) => {
      let ramp = rampOf(usually(perSecond, 0));
      let gone = 0;
      for (let nowMs = 0; nowMs < 10_000; nowMs++) {
        const asked = ask(ramp, 1, nowMs);
        gone += asked.letThrough;
        ramp = asked.letThrough > 0 ? rampAfterSuccess(asked.ramp, nowMs) : asked.ramp;
      }
      const paced = Math.max(FEW, perSecond * ramp.steepness.pace);
      expect(gone).toBeLessThanOrEqual(10 * (paced + MOST_TRICKLE) + 2 * (FEW + 1) + 0.1 * paced);
      expect(gone).toBeGreaterThanOrEqual(10 * Math.max(FEW, perSecond));
    },
  );

  test("B5: no more calls are under way than usual while answers take longer than before", () => {
    const usual = usually(100, 50);
    let ramp = rampOf(usual);
    for (let nowMs = 0; nowMs < 20_000; nowMs += 10) {
      if (nowMs % 100 === 0) ramp = rampAfterSuccess(ramp, nowMs);
      ramp = ask(ramp, 20, nowMs).ramp;
      // The trickle goes on.
      expect(ramp.underWay).toBeLessThan(100 + (MOST_TRICKLE * nowMs) / 1000);
    }
    expect(ramp.underWay).toBeGreaterThan(50);
  });

  /** Two hundred ask each second, of a provider with so many slots that answers after a second. Returns how many are under way after 3 s. */
  function underWayWith(slots: number): number {
    let ramp = rampOf(usually(100, 100));
    const ends: number[] = [];
    for (let nowMs = 0; nowMs < 3000; nowMs += 5) {
      while ((ends[0] ?? Number.POSITIVE_INFINITY) <= nowMs) ramp = rampAfterSuccess(ramp, ends.shift() as number);
      const asked = ask(ramp, 1, nowMs);
      ramp = asked.ramp;
      if (asked.letThrough > 0) ends.push(Math.max(nowMs, ends.at(-slots) ?? 0) + 1000);
    }
    return ramp.underWay;
  }

  test("B5: where slots are missing calls do not queue up at the provider, where none are they come back at once", () => {
    expect(underWayWith(20)).toBeLessThan(80);
    expect(underWayWith(200)).toBeGreaterThan(110);
  });

  test("B5: after a limit, what a process saw in its first moments does not limit the calls under way", () => {
    const glimpse = { ...usually(86, 38), forMs: 280 };
    let ramp = rampOf(glimpse, 0, AFTER_LIMIT);
    const ends: number[] = [];
    for (let nowMs = 0; nowMs < 20_000; nowMs += 2) {
      while ((ends[0] ?? Number.POSITIVE_INFINITY) <= nowMs) ramp = rampAfterSuccess(ramp, ends.shift() as number);
      const asked = ask(ramp, 1, nowMs);
      ramp = asked.ramp;
      if (asked.letThrough > 0) ends.push(nowMs + 1000);
    }
    expect(ramp.underWay).toBeGreaterThan(300);
  });

  test("B5: each answer earns more than one call, up to a limit; a failure halves what is left, an abort gives one back", () => {
    const start = rampOf();
    const earned = rampAfterSuccess(start, 0).credit - start.credit;
    expect(earned).toBeGreaterThan(1);
    expect(start.credit).toBe(earned);
    const most = afterSuccesses(start, 999).credit;
    expect(most).toBe(50);
    expect(rampAfterFailure(afterSuccesses(start, 999), 0).credit).toBe(most / 2);
    expect(rampAfterFailure(start, 0).credit).toBe(Math.floor(earned / 2));
    expect(rampAfterRelease(start).credit).toBe(earned + 1);
    expect(rampAfterRelease(afterSuccesses(start, 999)).credit).toBe(most);
  });

  test("B5: the more calls are usual, the more go first and ahead of answers", () => {
    const large = rampOf(usually(1000));
    expect(large.credit).toBeGreaterThan(rampOf().credit);
    expect(large.credit).toBeLessThan(1000);
    expect(afterSuccesses(large, 9999).credit).toBeGreaterThan(50);
    expect(afterSuccesses(large, 9999).credit).toBeLessThanOrEqual(1000);
  });

  test("B5: after a limit fewer go first and fewer come back than after an outage", () => {
    const outage = rampOf(usually(100));
    const limit = rampOf(usually(100), 0, AFTER_LIMIT);
    expect(limit.credit).toBeLessThan(outage.credit);
    expect(rampAfterSuccess(limit, 0).credit - limit.credit).toBeLessThan(
      rampAfterSuccess(outage, 0).credit - outage.credit,
    );
    expect(AFTER_LIMIT.pace).toBeLessThan(AFTER_OUTAGE.pace);
    expect(AFTER_LIMIT.pace).toBeGreaterThan(1);
  });

  test("B5: it is over when no call was turned away for three seconds, or after its time where nothing is known of usual calls", () => {
    const start = rampOf(NO_TRAFFIC, 700);
    expect([0, 3699, 3700].map((nowMs) => isRampOver(start, RAMP_MS, nowMs))).toEqual([false, false, true]);
    const late = rampAfterDenial(start, 3000);
    expect([3700, 5999, 6000].map((nowMs) => isRampOver(late, RAMP_MS, nowMs))).toEqual([false, false, true]);
    const long = rampAfterDenial(start, RAMP_MS);
    expect(isRampOver(long, RAMP_MS, RAMP_MS)).toBe(true);
    const known = rampAfterDenial(rampOf({ ...NO_TRAFFIC, perSecond: 10 }, 700), RAMP_MS);
    expect([0, 2999, 3000].map((ms) => isRampOver(known, RAMP_MS, RAMP_MS + ms))).toEqual([false, false, true]);
    expect(isRampOver(start, 0, 0)).toBe(true);
  });

  test("B5: its time does not pass while there is nothing to be had", () => {
    const empty = { ...rampOf(), credit: 0 };
    expect(rampAfterDenial(empty, RAMP_MS).openMs).toBe(0);
    expect(rampAfterAdmission(empty, RAMP_MS).openMs).toBe(0);
    expect(rampAfterDenial(rampOf(), 900).openMs).toBe(900);
    expect(rampAfterAdmission(rampOf(), 900).openMs).toBe(900);
  });

  test("B5: it has failed when enough fails in a row and too little was answered, whatever went well before", () => {
    expect(hasRampFailed(afterFailures(rampOf(), 4), spec)).toBe(false);
    expect(hasRampFailed(afterFailures(rampOf(), 5), spec)).toBe(true);
    expect(hasRampFailed(afterFailures(afterSuccesses(rampOf(), 20), 50), spec)).toBe(true);
    // With many calls five failures in a row are chance.
    const large = rampOf(usually(1000));
    expect(hasRampFailed(afterFailures(large, 5), spec)).toBe(false);
    expect(hasRampFailed(afterFailures(large, 50), spec)).toBe(true);
  });

  test("B5: a ramp that began on a belief has failed with its first failure, unless a call was answered", () => {
    const believed = startRamp({ nowMs: 0, quietMs: 0, usual: NO_TRAFFIC, successes: 0, steepness: AFTER_OUTAGE });
    expect(hasRampFailed(believed, spec)).toBe(false);
    expect(hasRampFailed(rampAfterRelease(believed), spec)).toBe(false);
    expect(hasRampFailed(rampAfterFailure(believed, 10), spec)).toBe(true);
    expect(hasRampFailed(rampAfterFailure(rampAfterSuccess(believed, 5), 10), spec)).toBe(false);
  });

  test("B5: a few calls that all fail at once let no more go than the trickle", () => {
    let ramp = rampOf();
    let gone = 0;
    for (let n = 0; n < 100; n++) {
      const asked = ask(ramp, 1, 0);
      gone += asked.letThrough;
      ramp = asked.letThrough > 0 ? rampAfterFailure(asked.ramp, 0) : asked.ramp;
    }
    expect(gone).toBeLessThanOrEqual(2 * FEW);
  });
});

type Step = "ask" | "success" | "failure" | "release" | number;

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.constantFrom<Step>("ask", "ask", "ask", "success", "failure", "release"),
    fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 2000 })),
  ),
  { maxLength: 200 },
);

const traffic: fc.Arbitrary<Traffic> = fc.oneof(
  fc.constant(NO_TRAFFIC),
  fc
    .tuple(fc.double({ min: 0.01, max: 2000, noNaN: true }), fc.double({ min: 0.01, max: 5000, noNaN: true }))
    .map(([perSecond, underWay]) => usually(perSecond, underWay)),
);

describe("B5: the way back under any sequence of events", () => {
  test("B5: never more go than the first credit, the answers, the trickle and a few allow, and its figures stay sane", () => {
    fc.assert(
      fc.property(steps, traffic, fc.constantFrom(AFTER_OUTAGE, AFTER_LIMIT), (sequence, usual, steepness) => {
        let ramp = rampOf(usual, 0, steepness);
        let nowMs = 0;
        let gone = 0;
        const { perAnswer } = steepness;
        const most = afterSuccesses(ramp, 2000).credit;
        let earned = ramp.credit;
        for (const step of sequence) {
          if (typeof step === "number") nowMs += step;
          else if (step === "success") ramp = rampAfterSuccess(ramp, nowMs);
          else if (step === "failure") ramp = rampAfterFailure(ramp, nowMs);
          else if (step === "release") ramp = rampAfterRelease(ramp);
          else if (isRampFree(ramp, nowMs)) {
            ramp = rampAfterAdmission(ramp, nowMs);
            gone++;
          } else ramp = rampAfterDenial(ramp, nowMs);
          // One that has ended makes room for another.
          if (step === "success") earned += perAnswer + 1;
          if (step === "release") earned += 2;
          if (step === "failure") earned++;
          const seconds = nowMs / 1000;
          expect(gone).toBeLessThanOrEqual(earned + FEW + seconds * MOST_TRICKLE + 1e-6);
          if (usual.perSecond > 0) {
            const paced = Math.max(FEW, usual.perSecond * ramp.steepness.pace);
            const atOnce = 2 * (FEW + 1) + paced * 0.1;
            expect(gone).toBeLessThanOrEqual(atOnce + seconds * (paced + MOST_TRICKLE) + 1e-6);
          }
          expect(ramp.credit).toBeGreaterThanOrEqual(0);
          expect(ramp.credit).toBeLessThanOrEqual(most);
          expect(ramp.trickle).toBeGreaterThanOrEqual(0);
          expect(ramp.trickle).toBeLessThanOrEqual(MOST_TRICKLE);
          expect(ramp.share.answered).toBeGreaterThanOrEqual(0);
          expect(ramp.share.answered).toBeLessThanOrEqual(1);
          expect(ramp.underWay).toBeGreaterThanOrEqual(0);
          expect(ramp.openMs).toBeLessThanOrEqual(nowMs);
          // A call that comes back two seconds later finds a place, whatever happened.
          expect(isRampFree(ramp, nowMs + 2000)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("B5: it ends three seconds after the last denial, and while answers come there is a last denial", () => {
    fc.assert(
      fc.property(steps, traffic, fc.integer({ min: 0, max: 60_000 }), (sequence, usual, rampMs) => {
        let ramp = rampOf(usual);
        let nowMs = 0;
        for (const step of sequence) {
          if (typeof step === "number") nowMs += step;
          else if (step === "success") ramp = rampAfterSuccess(ramp, nowMs);
          else if (step === "failure") ramp = rampAfterFailure(ramp, nowMs);
          else if (step === "release") ramp = rampAfterRelease(ramp);
          else ramp = ask(ramp, 1, nowMs).ramp;
        }
        expect(isRampOver(ramp, rampMs, nowMs + 3000)).toBe(true);
        // While answers come, even a herd without end does not keep it going.
        for (let n = 0; !isRampOver(ramp, rampMs, nowMs); n++) {
          expect(n).toBeLessThan(60_000);
          nowMs += 10;
          ramp = rampAfterSuccess(ramp, nowMs);
          ramp = ask(ramp, 1, nowMs).ramp;
        }
      }),
      { numRuns: 30 },
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
