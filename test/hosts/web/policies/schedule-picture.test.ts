import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changeType } from "../../../../src/hosts/web/pages/policies/change-schedule.ts";
import { timeAxis } from "../../../../src/hosts/web/pages/policies/schedule-axis.ts";
import { schedulePicture } from "../../../../src/hosts/web/pages/policies/schedule-picture.ts";
import { type ScheduleSpec, STEPPED_PATIENT, schedule } from "../../../../src/kernel/index.ts";

const FREE = { patienceMs: null, maxDelayMs: null };

describe("the picture of a schedule", () => {
  test("E10: shows the patient schedule with 21 retries in 27,105 s", () => {
    const picture = schedulePicture(STEPPED_PATIENT, FREE);
    expect(picture).toMatchObject({ retries: 21, endMs: 27_105_000, endedBy: "retries" });
    expect(picture.moments.slice(0, 4).map(({ latestMs }) => latestMs)).toEqual([5000, 15_000, 45_000, 105_000]);
    expect(picture.moments).toHaveLength(10);
  });

  test("E11: with full jitter the mean is half of the latest", () => {
    const { moments } = schedulePicture(
      { type: "exponential", baseMs: 1000, capMs: 30_000, jitter: "full", atMost: 8 },
      FREE,
    );
    expect(moments.map(({ latestMs }) => Math.round(latestMs))).toEqual([
      1000, 3000, 7000, 15_000, 31_000, 61_000, 91_000, 121_000,
    ]);
    for (const { meanMs, latestMs } of moments) expect(meanMs).toBeCloseTo(latestMs / 2, 3);
  });

  test("E9: a schedule without an end is shown as such", () => {
    expect(schedulePicture({ type: "fibonacci" }, FREE)).toMatchObject({
      retries: null,
      endMs: null,
      endedBy: "never",
    });
  });

  test("E18: patience ends the schedule with a last try, a delay over the cap without one", () => {
    const fixed: ScheduleSpec = { type: "fixed", delayMs: 10_000 };
    expect(schedulePicture(fixed, { patienceMs: 25_000, maxDelayMs: null })).toMatchObject({
      retries: 3,
      endMs: 25_000,
      endedBy: "patience",
    });
    const growing: ScheduleSpec = { type: "exponential", baseMs: 1000 };
    expect(schedulePicture(growing, { patienceMs: null, maxDelayMs: 3000 })).toMatchObject({
      retries: 2,
      endMs: 3000,
      endedBy: "delay-cap",
    });
  });

  const limits = {
    capMs: fc.option(fc.integer({ min: 0, max: 1e7 }), { nil: undefined }),
    jitter: fc.constantFrom("none", "full", "equal", "decorrelated"),
    atMost: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
  };
  const specs = fc
    .oneof(
      fc.record({
        type: fc.constant("exponential"),
        baseMs: fc.integer({ min: 0, max: 1e6 }),
        factor: fc.double({ min: 1, max: 9, noNaN: true }),
        ...limits,
      }),
      fc.record({ type: fc.constant("fibonacci"), unitMs: fc.integer({ min: 0, max: 1e6 }), ...limits }),
      fc.record({
        type: fc.constant("stepped"),
        stepsMs: fc.array(fc.integer({ min: 0, max: 1e6 }), { minLength: 1 }),
        ...limits,
      }),
      fc.record({ type: fc.constant("fixed"), delayMs: fc.integer({ min: 0, max: 1e6 }), ...limits }),
    )
    .map(
      (spec) =>
        Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined)) as unknown as ScheduleSpec,
    );

  test("E11: moments never go back, the mean is never after the latest, and nothing lasts longer than the patience", () => {
    fc.assert(
      fc.property(specs, fc.option(fc.integer({ min: 0, max: 1e7 })), (spec, patienceMs) => {
        const { moments } = schedulePicture(spec, { patienceMs, maxDelayMs: null });
        let before = 0;
        for (const { meanMs, latestMs } of moments) {
          expect(latestMs).toBeGreaterThanOrEqual(before);
          expect(meanMs).toBeLessThanOrEqual(latestMs);
          if (patienceMs !== null) expect(latestMs).toBeLessThanOrEqual(patienceMs);
          before = latestMs;
        }
        const axis = timeAxis(moments[0]?.latestMs ?? 0, moments.at(-1)?.latestMs ?? 0);
        expect(axis.ticksMs.length).toBeLessThan(15);
        for (const { meanMs } of moments) expect(axis.at(meanMs)).toBeGreaterThanOrEqual(0);
        for (const { latestMs } of moments) expect(axis.at(latestMs)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("E8: another type of schedule keeps the limits and the first delay, and is always valid", () => {
    fc.assert(
      fc.property(specs, fc.constantFrom("exponential", "fibonacci", "stepped", "fixed"), (spec, type) => {
        const changed = changeType(spec, type);
        const { jitter, capMs, atMost } = changed;
        expect({ jitter, capMs, atMost }).toEqual({ jitter: spec.jitter, capMs: spec.capMs, atMost: spec.atMost });
        const plain = (one: ScheduleSpec) => schedule({ ...one, atMost: 1 }).delayFor(1);
        expect(plain(changed)).toBe(plain(spec));
      }),
    );
  });
});
