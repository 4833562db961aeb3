import { describe, expect, test } from "vitest";
import { BandGatherer } from "../../../src/simulator/lab/bands.ts";
import { measure } from "../../../src/simulator/lab/measure.ts";
import { sizeFor, thinkTime } from "../../../src/simulator/lab/run-lab.ts";
import { type Series, Tally } from "../../../src/simulator/lab/tally.ts";
import { worstOf } from "../../../src/simulator/lab/worst-of.ts";

/** 30 seconds: steady from 2 to 10, outage from 10 to 15. Ten generations a second, each with one call of 1000 ms. */
function series(changes: Partial<Record<keyof Series, (second: number) => number>> = {}): Series {
  const empty = new Tally(() => 0, 30).series;
  const steady: typeof changes = {
    offered: () => 10,
    calls: () => 10,
    answered: () => 10,
    callsAnswered: () => 10,
    callMs: () => 10_000,
    ...changes,
  };
  const made = Object.keys(empty).map((name) => {
    const at = steady[name as keyof Series] ?? (() => 0);
    return [name, Array.from({ length: 30 }, (_, second) => at(second))];
  });
  return Object.fromEntries(made) as Series;
}

const TIMES = { steadyFrom: 2, outageFrom: 10, outageTo: 15 };
const during = (inside: number, outside: number) => (second: number) =>
  second >= 10 && second < 15 ? inside : outside;

describe("B7: figures of hand-made runs", () => {
  test("B7: of a run in which nothing happened", () => {
    expect(measure(series(), TIMES)).toEqual({
      amplification: 1,
      peak: 1,
      recoverySeconds: 0,
      wasted: 0,
      failed: 0,
      waited: 0,
    });
  });

  test("B7: amplification counts calls and generations from the start of the outage on", () => {
    const { amplification } = measure(series({ calls: (second) => (second < 10 ? 99 : second < 15 ? 30 : 10) }), TIMES);
    expect(amplification).toBe((5 * 30 + 15 * 10) / 200);
  });

  test("B7: the peak is the busiest second after the outage, not one in it", () => {
    const { peak } = measure(series({ calls: (second) => (second === 12 ? 900 : second === 17 ? 45 : 10) }), TIMES);
    expect(peak).toBe(4.5);
  });

  test("B7: the peak of a burst is compared with the quota, and recovery is the end of the last call", () => {
    const burst = (second: number): number => (second === 10 ? 60 : second === 20 ? 30 : 0);
    const once = series({ offered: burst, calls: burst, answered: burst, callsAnswered: burst, callMs: burst });
    const { peak, recoverySeconds } = measure(once, {
      ...TIMES,
      outageTo: 11,
      usual: { callsPerSecond: 5, answersPerSecond: 0, callMs: 0 },
    });
    expect({ peak, recoverySeconds }).toEqual({ peak: 6, recoverySeconds: 10 });
  });

  test("B7: recovery counts from the moment at which the provider has its full capacity again", () => {
    const slow = series({ answered: (second) => (second >= 10 && second < 21 ? 0 : 10) });
    expect(measure(slow, { ...TIMES, settle: 4 }).recoverySeconds).toBe(1);
    expect(measure(slow, { ...TIMES, settle: 8 }).recoverySeconds).toBe(0);
  });

  test("B7: a broken connection is a failed call", () => {
    expect(measure(series({ cut: during(10, 0) }), TIMES).recoverySeconds).toBe(0);
    expect(measure(series({ cut: () => 10 }), TIMES).recoverySeconds).toBeNull();
  });

  test("B7: wasted, failed and waited are shares of what came since the outage began", () => {
    const figures = measure(
      series({
        wasted: (second) => (second === 20 ? 4 : 0),
        failed: during(10, 0),
        answered: during(0, 10),
        waiting: during(40, 0),
      }),
      TIMES,
    );
    expect(figures).toMatchObject({ wasted: 4 / 200, failed: 50 / 200, waited: 200 / 200 });
  });

  test.each<[string, Parameters<typeof series>[0], number | null]>([
    ["answers are missing", { answered: (second) => (second >= 10 && second < 18 ? 0 : 10) }, 2],
    ["calls fail", { rejected: (second) => (second >= 10 && second < 20 ? 10 : 0) }, 5],
    ["calls are slow", { callMs: (second) => (second >= 10 && second < 19 ? 30_000 : 10_000) }, 3],
    ["it falls over again at the end", { answered: (second) => (second === 27 || second === 28 ? 0 : 10) }, null],
    ["it falls over again in between", { abandoned: (second) => (second === 20 ? 9 : 0) }, 6],
  ])("B7: recovery, when %s", (_, changes, seconds) => {
    expect(measure(series(changes), TIMES).recoverySeconds).toBe(seconds);
  });

  test("B7: the worst over the seeds is the worst of each figure, and no recovery is worse than any time", () => {
    const one = { amplification: 1, peak: 3, recoverySeconds: 4, wasted: 0, failed: 0.5, waited: 1 };
    const two = { amplification: 2, peak: 1, recoverySeconds: 9, wasted: 0.1, failed: 0, waited: 0 };
    expect(worstOf([one, two])).toEqual({
      amplification: 2,
      peak: 3,
      recoverySeconds: 9,
      wasted: 0.1,
      failed: 0.5,
      waited: 1,
    });
    expect(worstOf([one, { ...two, recoverySeconds: null }])?.recoverySeconds).toBeNull();
    expect(worstOf([])).toBeUndefined();
  });

  test("B7: bands have the mean, the least and the most of every second", () => {
    const gatherer = new BandGatherer();
    expect(gatherer.bands()).toBeUndefined();
    gatherer.add(series({ calls: () => 10 }));
    gatherer.add(series({ calls: (second) => second }));
    const calls = gatherer.bands()?.calls;
    expect([calls?.mean[4], calls?.least[4], calls?.most[4], calls?.most[20]]).toEqual([7, 4, 10, 20]);
  });

  test("B7: the pauses of all clients together give the wanted load", () => {
    expect(sizeFor(1000)).toEqual({ slots: 200, queueLimit: 1000, serviceMs: 1000 });
    expect(sizeFor(1)).toEqual({ slots: 1, queueLimit: 5, serviceMs: 1000 });
    expect(thinkTime(1000, 0.4, sizeFor(1000))).toBe(11_500);
    expect(thinkTime(1, 1, sizeFor(1))).toBe(0);
  });
});
