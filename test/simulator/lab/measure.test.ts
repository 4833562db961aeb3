import { describe, expect, test } from "vitest";
import { AnswerTimes, quantileSeconds } from "../../../src/simulator/lab/answer-times.ts";
import { BandGatherer } from "../../../src/simulator/lab/bands.ts";
import { couldGive } from "../../../src/simulator/lab/could-give.ts";
import { type Figures, figuresOf, worstOf } from "../../../src/simulator/lab/figures-of.ts";
import { scenarioOf } from "../../../src/simulator/lab/index.ts";
import { type Measured, type MeasureInput, measure as measureRun } from "../../../src/simulator/lab/measure.ts";
import { sizeFor, thinkTime } from "../../../src/simulator/lab/run-lab.ts";
import { type Series, Tally } from "../../../src/simulator/lab/tally.ts";

/** 30 seconds: steady from 2 to 10, outage from 10 to 15. Ten generations a second, each with one call of 1000 ms. */
function series(changes: Partial<Record<keyof Series, (second: number) => number>> = {}): Series {
  const empty = new Tally({ now: () => 0, seconds: 30 }).series;
  const steady: typeof changes = {
    offered: () => 10,
    calls: () => 10,
    answered: () => 10,
    callsAnswered: () => 10,
    callsTimed: () => 10,
    callMs: () => 10_000,
    ...changes,
  };
  const made = Object.keys(empty).map((name) => {
    const at = steady[name as keyof Series] ?? (() => 0);
    return [name, Array.from({ length: 30 }, (_, second) => at(second))];
  });
  return Object.fromEntries(made) as Series;
}

const TIMES: MeasureInput["times"] = { steadyFrom: 2, outageFrom: 10, outageTo: 15 };
const NO_ANSWERS = { started: 0, buckets: [] };

function measuredOf(series: Series, times = TIMES, more: Partial<MeasureInput> = {}): Measured {
  return measureRun({ series, times, answers: NO_ANSWERS, hasPeak: true, ...more });
}

function measure(series: Series, times = TIMES, more: Partial<MeasureInput> = {}): Figures {
  return figuresOf([measuredOf(series, times, more)]) as Figures;
}
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
      served: null,
      p95Seconds: null,
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
    const once = series({
      offered: burst,
      calls: burst,
      answered: burst,
      callsAnswered: burst,
      callsTimed: burst,
      callMs: burst,
    });
    const { peak, recoverySeconds } = measure(
      once,
      { ...TIMES, outageTo: 11 },
      { usual: { callsPerSecond: 5, answersPerSecond: 0, callMs: 0 } },
    );
    expect({ peak, recoverySeconds }).toEqual({ peak: 6, recoverySeconds: 10 });
  });

  test("B7: recovery counts from the moment at which the provider has its full capacity again", () => {
    const slow = series({ answered: (second) => (second >= 10 && second < 21 ? 0 : 10) });
    expect(measure(slow, { ...TIMES, settle: 4 }).recoverySeconds).toBe(1);
    expect(measure(slow, { ...TIMES, settle: 8 }).recoverySeconds).toBe(0);
  });

  test("B7: a broken connection is a failed call", () => {
    expect(measure(series({ cut: during(10, 0) }), TIMES).recoverySeconds).toBe(0);
    expect(measure(series({ cut: () => 10 }), TIMES).recoverySeconds).toBe(Number.POSITIVE_INFINITY);
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

  test.each<[string, Parameters<typeof series>[0], number]>([
    ["answers are missing", { answered: (second) => (second >= 10 && second < 18 ? 0 : 10) }, 2],
    ["calls fail", { rejected: (second) => (second >= 10 && second < 20 ? 10 : 0) }, 5],
    ["calls are slow", { callMs: (second) => (second >= 10 && second < 19 ? 30_000 : 10_000) }, 3],
    [
      "it falls over again at the end",
      { answered: (second) => (second === 27 || second === 28 ? 0 : 10) },
      Number.POSITIVE_INFINITY,
    ],
    ["it falls over again in between", { abandoned: (second) => (second === 20 ? 9 : 0) }, 6],
  ])("B7: recovery, when %s", (_, changes, seconds) => {
    expect(measure(series(changes), TIMES).recoverySeconds).toBe(seconds);
  });

  test("B7: several seeds count together; of peak and recovery the worst seed counts", () => {
    const one = measuredOf(series({ calls: during(30, 10) }));
    const two = measuredOf(
      series({
        calls: (second) => (second === 20 ? 40 : 10),
        failed: during(10, 0),
        answered: during(0, 10),
        waiting: during(40, 0),
      }),
    );
    const all = figuresOf([one, two]);
    expect(all).toEqual({
      amplification: (5 * 30 + 15 * 10 + 19 * 10 + 40) / 400,
      peak: 4,
      recoverySeconds: 0,
      wasted: 0,
      failed: 50 / 400,
      waited: 200 / 400,
      served: null,
      p95Seconds: null,
    });
    expect(worstOf([one, two])).toEqual({ ...all, amplification: 1.5, failed: 0.25, waited: 1 });
    expect(worstOf([one, { ...two, recoverySeconds: Number.POSITIVE_INFINITY }])?.recoverySeconds).toBe(
      Number.POSITIVE_INFINITY,
    );
    expect([figuresOf([]), worstOf([])]).toEqual([undefined, undefined]);
  });

  test("B7: peak and recovery are unknown where they would be chance", () => {
    expect(measure(series(), TIMES, { hasPeak: false })).toMatchObject({ peak: null, recoverySeconds: null });
  });

  test("B7: served compares the answers of the outage with what the provider could give", () => {
    const half = series({ answered: during(3, 10) });
    expect(measure(half, TIMES, { couldGive: (perSecond) => 5 * 0.5 * perSecond }).served).toBe(0.6);
    expect(measure(series(), TIMES, { couldGive: (perSecond) => 5 * 0.5 * perSecond }).served).toBe(1);
    expect(measure(half, TIMES, { couldGive: () => 0 }).served).toBeNull();
  });

  test.each([
    ["fast-503", 0],
    ["slow-start", 0],
    ["black-hole", 60 * 8],
    ["brownout", 60 * 80],
    ["529-wave", 60 * 80],
    ["flapping", 30 * 80],
    ["quota-cliff", 60 * 50],
    ["slow-tokens", (60 * 200) / 6],
    ["regional-outage", 120 * 80],
  ] as const)("B7: in %s a provider that is asked 80 times a second could give %d answers", (name, answers) => {
    const scenario = scenarioOf(name);
    expect(couldGive(scenario, sizeFor(1000), scenario.outageMs, 80)).toBeCloseTo(answers, 6);
  });

  test("B7: what a provider could give includes the part of a last second", () => {
    expect(couldGive(scenarioOf("brownout"), sizeFor(1000), 2500, 80)).toBe(200);
  });

  test("B7: of all generations since the outage, those without an answer are the slowest", () => {
    const times = new AnswerTimes();
    for (let n = 0; n < 100; n++) times.start();
    expect(quantileSeconds(times.counts, 0.95)).toBe(Number.POSITIVE_INFINITY);
    for (let n = 1; n <= 94; n++) times.answer(n * 100);
    expect(quantileSeconds(times.counts, 0.95)).toBe(Number.POSITIVE_INFINITY);
    times.answer(70_000);
    expect((quantileSeconds(times.counts, 0.95) ?? 0) / 70).toBeCloseTo(1, 1.7);
    expect((quantileSeconds(times.counts, 0.5) ?? 0) / 5).toBeCloseTo(1, 1.7);
    expect(quantileSeconds(new AnswerTimes().counts, 0.95)).toBeNull();
  });

  test("B7: a slow call counts in the second in which it started", () => {
    let nowMs = 9000;
    const tally = new Tally({ now: () => nowMs, seconds: 30 });
    nowMs = 20_000;
    tally.timeCall(9000);
    const { callsAnswered, callsTimed, callMs } = tally.series;
    expect([callsAnswered[20], callsTimed[9], callMs[9]]).toEqual([1, 1, 11_000]);
    expect([callsAnswered[9], callsTimed[20], callMs[20]]).toEqual([0, 0, 0]);
  });

  test("B7: the tally times only generations that were started since the outage", () => {
    let nowMs = 0;
    const tally = new Tally({ now: () => nowMs, seconds: 100, timedFromMs: 10_000 });
    tally.started(0);
    tally.started(10_000);
    tally.started(10_000);
    nowMs = 20_000;
    tally.ended(0, true);
    tally.ended(10_000, true);
    tally.ended(10_000, false);
    const { started, buckets } = tally.answers;
    expect([started, buckets.reduce((sum, count) => sum + count, 0)]).toEqual([2, 1]);
    expect([tally.series.answered[20], tally.series.failed[20]]).toEqual([2, 1]);
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
    expect(sizeFor(1000)).toEqual({ slots: 200, ownSlots: 200, queueLimit: 1000, serviceMs: 1000 });
    expect(sizeFor(1)).toEqual({ slots: 10, ownSlots: 1, queueLimit: 50, serviceMs: 1000 });
    expect(thinkTime(5, 0.4, sizeFor(5))).toBe(1500);
    expect(thinkTime(1000, 0.4, sizeFor(1000))).toBe(11_500);
    expect(thinkTime(1, 1, sizeFor(1))).toBe(0);
  });
});
