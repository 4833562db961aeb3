import { describe, expect, test, vi } from "vitest";
import { type ScheduleDraw, schedule } from "../../../src/kernel/decide/schedule.ts";
import { MAX_DELAY_MS } from "../../../src/kernel/decide/schedule-check.ts";
import type { Jitter, ScheduleSpec } from "../../../src/kernel/model/schedule-spec.ts";

const JITTERS: readonly Jitter[] = ["none", "full", "equal", "decorrelated"];

function climbing(jitter: Jitter, extra: Partial<ScheduleSpec> = {}): ScheduleSpec {
  return { type: "exponential", baseMs: 100, capMs: 1000, jitter, ...extra } as ScheduleSpec;
}

function drawn(jitter: Jitter, retry: number, random: number, more: Omit<ScheduleDraw, "random"> = {}) {
  return schedule(climbing(jitter)).delayFor(retry, { random: () => random, ...more });
}

describe("E11: jitter", () => {
  test.each(JITTERS)("E11: without a draw the delay is plain (%s)", (jitter) => {
    const compiled = schedule(climbing(jitter));
    expect([1, 2, 3, 4, 5].map((retry) => compiled.delayFor(retry))).toEqual([100, 200, 400, 800, 1000]);
  });

  test.each<[Jitter, number, number, number]>([
    ["none", 3, 0.25, 400],
    ["full", 3, 0, 0],
    ["full", 3, 0.25, 100],
    ["full", 3, 0.75, 300],
    ["full", 9, 0.5, 500],
    ["equal", 3, 0, 200],
    ["equal", 3, 0.25, 250],
    ["equal", 3, 0.75, 350],
    ["equal", 9, 0.5, 750],
  ])("E11: %s, retry %d, random %d: %d ms", (jitter, retry, random, expected) => {
    expect(drawn(jitter, retry, random)).toBe(expected);
  });

  test.each<[string, number | undefined, number, number]>([
    ["starts from the base, lowest", undefined, 0, 100],
    ["starts from the base, middle", undefined, 0.5, 200],
    ["goes on from the previous delay, lowest", 200, 0, 100],
    ["goes on from the previous delay, middle", 200, 0.5, 350],
    ["keeps within the cap", 900, 0.5, 1000],
    ["reaches just below the cap", 330, 0.5, 545],
    ["takes a wait above the cap as the cap", 5_000_000, 0.25, 825],
    ["takes an endless wait as the cap", Number.POSITIVE_INFINITY, 0, 100],
    ["never goes below the base after a wait of nothing", 0, 0.9, 100],
    ["never goes below the base after a short wait", 20, 0.9, 100],
    ["never goes below the base after nonsense", Number.NaN, 0.9, 100],
  ])("E11: decorrelated %s", (_, previousMs, random, expected) => {
    const more = previousMs === undefined ? {} : { previousMs };
    expect(drawn("decorrelated", 7, random, more)).toBe(expected);
  });

  test("E11: decorrelated takes the first delay of any shape as its base", () => {
    const draw = { random: () => 0.5 };
    expect(schedule({ type: "stepped", stepsMs: [40, 7], jitter: "decorrelated" }).delayFor(2, draw)).toBe(80);
    expect(schedule({ type: "fibonacci", unitMs: 10, jitter: "decorrelated" }).delayFor(6, draw)).toBe(20);
    expect(schedule({ type: "fixed", delayMs: 10, capMs: 4, jitter: "decorrelated" }).delayFor(1, draw)).toBe(4);
  });

  test.each([Number.NaN, -0.1, 1.1, Number.POSITIVE_INFINITY])(
    "E11: a random source that gives %s is taken as 1",
    (bad) => {
      expect(drawn("full", 3, bad)).toBe(400);
      expect(drawn("equal", 3, bad)).toBe(400);
      expect(drawn("decorrelated", 3, bad)).toBe(300);
      expect(drawn("full", 3, 1)).toBe(400);
    },
  );

  test("E11: asks the random source once, and only when it needs it", () => {
    const random = vi.fn(() => 0.5);
    schedule(climbing("none")).delayFor(1, { random });
    schedule(climbing("full", { atMost: 1 })).delayFor(2, { random });
    expect(random).toHaveBeenCalledTimes(0);
    schedule(climbing("full")).delayFor(1, { random });
    expect(random).toHaveBeenCalledTimes(1);
  });

  test("E11: the budget looks at the jittered delay", () => {
    const compiled = schedule(climbing("full", { budgetMs: 250 }));
    expect(compiled.delayFor(3, { random: () => 0.25, waitedMs: 150 })).toBe(100);
    expect(compiled.delayFor(3, { random: () => 0.5, waitedMs: 150 })).toBeUndefined();
    // Nothing known of the waits: the plain sum 100 + 200 is over the budget already.
    expect(compiled.delayFor(2, { random: () => 0 })).toBeUndefined();
    expect(compiled.maxRetries).toBe(1);
  });

  test("E11: stays finite at the longest delay", () => {
    const spec: ScheduleSpec = { type: "fixed", delayMs: MAX_DELAY_MS, jitter: "decorrelated" };
    expect(schedule(spec).delayFor(1e6, { random: () => 0.999, previousMs: MAX_DELAY_MS })).toBe(MAX_DELAY_MS);
  });
});
