import { describe, expect, test } from "vitest";
import { type Schedule, STEPPED_PATIENT, schedule } from "../../../src/kernel/decide/schedule.ts";
import { MAX_DELAY_MS } from "../../../src/kernel/decide/schedule-check.ts";
import { InvalidInput } from "../../../src/kernel/model/invalid-input.ts";
import type { ScheduleSpec } from "../../../src/kernel/model/schedule-spec.ts";

const HOUR_MS = 3_600_000;

/** The first delays of a schedule, `undefined` where it has stopped. */
function delays(spec: ScheduleSpec, count: number): (number | undefined)[] {
  const compiled = schedule(spec);
  return Array.from({ length: count }, (_, index) => compiled.delayFor(index + 1));
}

function runToEnd(compiled: Schedule): { readonly retries: number; readonly sumMs: number } {
  let [retries, sumMs] = [0, 0];
  for (let delayMs = compiled.delayFor(1); delayMs !== undefined; delayMs = compiled.delayFor(retries + 1)) {
    retries++;
    sumMs += delayMs;
  }
  return { retries, sumMs };
}

describe("E8: exponential", () => {
  test.each<[string, ScheduleSpec, (number | undefined)[]]>([
    ["doubles by default", { type: "exponential", baseMs: 2000 }, [2000, 4000, 8000, 16_000]],
    ["takes a factor", { type: "exponential", baseMs: 1000, factor: 1.5 }, [1000, 1500, 2250, 3375]],
    ["stays level with factor 1", { type: "exponential", baseMs: 700, factor: 1 }, [700, 700, 700]],
    ["keeps within its cap", { type: "exponential", baseMs: 1000, capMs: 3000 }, [1000, 2000, 3000, 3000]],
    ["meets its cap exactly", { type: "exponential", baseMs: 1000, capMs: 4000 }, [1000, 2000, 4000, 4000]],
    ["may have a cap below its base", { type: "exponential", baseMs: 1000, capMs: 300 }, [300, 300, 300]],
    ["caps a level one too", { type: "exponential", baseMs: 1000, factor: 1, capMs: 300 }, [300, 300]],
    ["stays at zero from zero", { type: "exponential", baseMs: 0, factor: 1e308 }, [0, 0, 0, 0]],
    [
      "takes an option spelled out as undefined as left out",
      bare({ factor: undefined, capMs: undefined }),
      [10, 20, 40],
    ],
  ])("E8: %s", (_, spec, expected) => {
    expect(delays(spec, expected.length)).toEqual(expected);
  });

  test("E8: never ends, and its delays stay finite when the power overflows", () => {
    const compiled = schedule({ type: "exponential", baseMs: 1000 });
    expect(compiled.maxRetries).toBeNull();
    expect(compiled.delayFor(22)).toBe(1000 * 2 ** 21);
    expect(compiled.delayFor(23)).toBe(MAX_DELAY_MS);
    expect(compiled.delayFor(1_000_000)).toBe(MAX_DELAY_MS);
    expect(compiled.delayFor(Number.MAX_VALUE)).toBe(MAX_DELAY_MS);
    expect(schedule({ type: "exponential", baseMs: 5, factor: 1e308 }).delayFor(3)).toBe(MAX_DELAY_MS);
    expect(schedule({ type: "exponential", baseMs: 5, factor: 1e308, capMs: 90 }).delayFor(1e6)).toBe(90);
  });

  test("E8: a factor close to 1 keeps to the formula far out, then to the cap", () => {
    const compiled = schedule({ type: "exponential", baseMs: 1000, factor: 1.001, capMs: 1500 });
    for (const retry of [1, 2, 255, 256, 257, 258, 400, 406]) {
      expect(compiled.delayFor(retry)).toBe(1000 * 1.001 ** (retry - 1));
    }
    expect(compiled.delayFor(407)).toBe(1500);
    expect(compiled.delayFor(1_000_000)).toBe(1500);
  });
});

describe("E9: fibonacci", () => {
  test.each<[string, ScheduleSpec, (number | undefined)[]]>([
    ["1, 2, 3, 5, 5 seconds", { type: "fibonacci" }, [1000, 2000, 3000, 5000, 5000, 5000, 5000]],
    ["1, 1, 2, 3, 5 on demand", { type: "fibonacci", repeatFirst: true }, [1000, 1000, 2000, 3000, 5000, 5000]],
    ["repeatFirst false is the default", { type: "fibonacci", repeatFirst: false }, [1000, 2000, 3000, 5000]],
    ["caps at 5 of its own units", { type: "fibonacci", unitMs: 10 }, [10, 20, 30, 50, 50]],
    ["climbs on to a higher cap", { type: "fibonacci", capMs: 20_000 }, [1000, 2000, 3000, 5000, 8000, 13_000, 20_000]],
    ["meets its cap exactly", { type: "fibonacci", capMs: 8000 }, [1000, 2000, 3000, 5000, 8000, 8000]],
    ["keeps a cap between two steps", { type: "fibonacci", capMs: 4000 }, [1000, 2000, 3000, 4000, 4000]],
    ["may have a cap below its unit", { type: "fibonacci", capMs: 400, repeatFirst: true }, [400, 400, 400]],
    ["stays at zero", { type: "fibonacci", unitMs: 0, capMs: 9 }, [0, 0, 0]],
    ["stays below the longest delay", { type: "fibonacci", unitMs: MAX_DELAY_MS }, [MAX_DELAY_MS, MAX_DELAY_MS]],
  ])("E9: %s", (_, spec, expected) => {
    expect(delays(spec, expected.length)).toEqual(expected);
  });

  test("E9: is unlimited", () => {
    const compiled = schedule({ type: "fibonacci" });
    expect(compiled.maxRetries).toBeNull();
    expect(compiled.delayFor(1_000_000)).toBe(5000);
  });
});

describe("E10: stepped", () => {
  test("E10: 5 s to 30 m, then 30 m again and again within 8 h: exactly 21 retries, 27,105 s in all, then stop", () => {
    const compiled = schedule(STEPPED_PATIENT);
    expect(delays(STEPPED_PATIENT, 22)).toEqual([
      ...[5, 10, 30, 60, 300, 600, 900].map((seconds) => seconds * 1000),
      ...Array.from({ length: 14 }, () => 1_800_000),
      undefined,
    ]);
    expect(runToEnd(compiled)).toEqual({ retries: 21, sumMs: 27_105_000 });
    expect(compiled.maxRetries).toBe(21);
    expect(compiled.delayFor(1_000_000)).toBeUndefined();
  });

  test("E10: is plain frozen data", () => {
    expect(STEPPED_PATIENT).toEqual(JSON.parse(JSON.stringify(STEPPED_PATIENT)));
    expect(STEPPED_PATIENT.budgetMs).toBe(8 * HOUR_MS);
    expect(Object.isFrozen(STEPPED_PATIENT)).toBe(true);
    expect(Object.isFrozen(STEPPED_PATIENT.stepsMs)).toBe(true);
  });

  test("E10: repeats its last step, caps each, and ends at the first one that does not fit", () => {
    expect(delays({ type: "stepped", stepsMs: [10, 40, 20] }, 5)).toEqual([10, 40, 20, 20, 20]);
    expect(delays({ type: "stepped", stepsMs: [10, 40, 20], capMs: 15 }, 4)).toEqual([10, 15, 15, 15]);
    expect(delays({ type: "stepped", stepsMs: [10, 1000, 5], budgetMs: 20 }, 3)).toEqual([10, undefined, undefined]);
  });

  test("E10: is not changed by what happens to the list afterwards", () => {
    const stepsMs = [10, 20];
    const compiled = schedule({ type: "stepped", stepsMs });
    stepsMs[0] = -1;
    expect(compiled.delayFor(1)).toBe(10);
  });
});

describe("E11: fixed, at most n, budget", () => {
  test.each<[string, ScheduleSpec, (number | undefined)[], number | null]>([
    ["fixed is the same every time", { type: "fixed", delayMs: 30_000 }, [30_000, 30_000, 30_000], null],
    ["fixed within its cap", { type: "fixed", delayMs: 30_000, capMs: 7 }, [7, 7], null],
    ["at most n", { type: "fixed", delayMs: 5, atMost: 2 }, [5, 5, undefined, undefined], 2],
    ["at most 0 never retries", { type: "fixed", delayMs: 5, atMost: 0 }, [undefined, undefined], 0],
    ["a budget counts this delay too", { type: "fixed", delayMs: 5, budgetMs: 10 }, [5, 5, undefined], 2],
    ["a budget just short of it", { type: "fixed", delayMs: 5, budgetMs: 9.999 }, [5, undefined], 1],
    ["a budget of 0 stops a real delay", { type: "fixed", delayMs: 5, budgetMs: 0 }, [undefined], 0],
    ["a budget of 0 has room for no delay", { type: "fixed", delayMs: 0, budgetMs: 0 }, [0, 0, 0], null],
    ["the budget is smaller", { type: "fixed", delayMs: 5, budgetMs: 10, atMost: 9 }, [5, 5, undefined], 2],
    ["at most n is smaller", { type: "fixed", delayMs: 5, budgetMs: 99, atMost: 1 }, [5, undefined], 1],
    [
      "the cap comes before the budget",
      { type: "exponential", baseMs: 4, capMs: 5, budgetMs: 14 },
      [4, 5, 5, undefined],
      3,
    ],
    [
      "a climb within a budget",
      { type: "exponential", baseMs: 1000, factor: 1.5, budgetMs: 4750 },
      [1000, 1500, 2250, undefined],
      3,
    ],
    [
      "a climb just short of it",
      { type: "exponential", baseMs: 1000, factor: 1.5, budgetMs: 4749 },
      [1000, 1500, undefined],
      2,
    ],
    ["zero delays with at most n", { type: "fixed", delayMs: 0, budgetMs: 5, atMost: 3 }, [0, 0, 0, undefined], 3],
  ])("E11: %s", (_, spec, expected, maxRetries) => {
    expect(delays(spec, expected.length)).toEqual(expected);
    expect(schedule(spec).maxRetries).toBe(maxRetries);
  });

  test.each<[string, ScheduleSpec, number | null]>([
    ["1 ms in 8 h", { type: "fixed", delayMs: 1, budgetMs: 8 * HOUR_MS }, 28_800_000],
    ["a rounding sum", { type: "fixed", delayMs: 0.1, budgetMs: 1 }, 10],
    ["a climb, then level", { type: "exponential", baseMs: 1, factor: 2, capMs: 4, budgetMs: 4_000_003 }, 1_000_002],
    ["a zero step before real ones", { type: "stepped", stepsMs: [0, 0, 3], budgetMs: 9 }, 5],
    ["a zero step at the end", { type: "stepped", stepsMs: [3, 0], budgetMs: 3 }, null],
    ["more than can be counted", { type: "fixed", delayMs: 1e-300, budgetMs: 1 }, null],
    ["nearly more than can be counted", { type: "fixed", delayMs: 1, budgetMs: 2 ** 53 - 1 }, 2 ** 53 - 1],
    ["just more than can be counted", { type: "fixed", delayMs: 1, budgetMs: 2 ** 53 }, null],
  ])("E11: counts the retries at once: %s", (_, spec, maxRetries) => {
    expect(schedule(spec).maxRetries).toBe(maxRetries);
  });

  test.each([
    { factor: 1.0001, capMs: MAX_DELAY_MS, budgetMs: 8 * HOUR_MS },
    { factor: 1.001, capMs: 1500, budgetMs: 8 * HOUR_MS },
    { factor: 1.001, capMs: 1500, budgetMs: 430_000 },
    { factor: 1.002, capMs: 1667, budgetMs: 335_000 },
    { factor: 1 + 1e-12, capMs: 5000, budgetMs: HOUR_MS },
  ])("E11: counts as many as adding up finds, factor $factor up to $capMs within $budgetMs", (limits) => {
    const { factor, capMs, budgetMs } = limits;
    let [counted, sumMs] = [0, 0];
    for (;;) {
      sumMs += Math.min(capMs, 1000 * factor ** counted);
      if (sumMs > budgetMs) break;
      counted++;
    }
    expect(schedule({ type: "exponential", baseMs: 1000, ...limits }).maxRetries).toBe(counted);
  });

  test("E11: the budget counts what was really waited when that is known", () => {
    const random = () => 0.5;
    const compiled = schedule({ type: "fixed", delayMs: 100, budgetMs: 250, atMost: 4 });
    expect(compiled.delayFor(3, { random })).toBeUndefined();
    expect(compiled.delayFor(3, { random, waitedMs: 150 })).toBe(100);
    expect(compiled.delayFor(3, { random, waitedMs: 150.5 })).toBeUndefined();
    expect(compiled.delayFor(1, { random, waitedMs: 251 })).toBeUndefined();
    expect(compiled.delayFor(4, { random, waitedMs: 0 })).toBe(100);
    expect(compiled.delayFor(5, { random, waitedMs: 0 })).toBeUndefined();
    expect(compiled.delayFor(1, { random, waitedMs: Number.NaN })).toBeUndefined();
    expect(schedule({ type: "fixed", delayMs: 100 }).delayFor(9, { random, waitedMs: 1e9 })).toBe(100);
  });

  test("E11: hands its spec on as it was given", () => {
    const spec: ScheduleSpec = { type: "fixed", delayMs: 1 };
    expect(schedule(spec).spec).toBe(spec);
  });
});

describe("delayFor and retry numbers that make no sense", () => {
  test.each([0, -1, Number.NaN, 1.5, Number.POSITIVE_INFINITY, "1" as unknown as number])(
    "E11: refuses %s",
    (retry) => {
      const compiled = schedule({ type: "fixed", delayMs: 1, atMost: 0 });
      expect(() => compiled.delayFor(retry)).toThrow(InvalidInput);
      expect(() => compiled.delayFor(retry)).toThrow(/^retry must be a whole number, 1 or more; got /);
    },
  );
});

function bare(extra: Readonly<Record<string, unknown>>): ScheduleSpec {
  return { type: "exponential", baseMs: 10, ...extra };
}
