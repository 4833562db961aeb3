import { describe, expect, test } from "vitest";
import { schedule } from "../../../src/kernel/decide/schedule.ts";
import { MAX_DELAY_MS } from "../../../src/kernel/decide/schedule-check.ts";
import { InvalidInput } from "../../../src/kernel/model/invalid-input.ts";
import type { ScheduleSpec } from "../../../src/kernel/model/schedule-spec.ts";

const DELAY = "a number from 0 to 2147483647";
const BUDGET = "a number of at least 0";
const AT_MOST = "a whole number of at least 0";
const FACTOR = "a number of at least 1";
const TYPES = "exponential, fibonacci, stepped or fixed";
const OBJECT = `an object whose type is ${TYPES}`;
const STEPS = "a list of at least one delay";
const JITTER = "one of none, full, equal, decorrelated";

const exponential = (extra: object) => ({ type: "exponential", baseMs: 1, ...extra });
const fixed = (extra: object) => ({ type: "fixed", delayMs: 1, ...extra });

const BAD: readonly (readonly [spec: unknown, message: string])[] = [
  [undefined, `schedule must be ${OBJECT}; got undefined`],
  [null, `schedule must be ${OBJECT}; got null`],
  ["fixed", `schedule must be ${OBJECT}; got "fixed"`],
  [5, `schedule must be ${OBJECT}; got 5`],
  [[1, 2], `schedule must be ${OBJECT}; got an array`],
  [() => 1, `schedule must be ${OBJECT}; got a function`],
  [{}, `schedule.type must be ${TYPES}; got undefined`],
  [{ type: "linear" }, `schedule.type must be ${TYPES}; got "linear"`],
  [{ type: "constructor" }, `schedule.type must be ${TYPES}; got "constructor"`],
  [{ type: ["fixed"], delayMs: 1 }, `schedule.type must be ${TYPES}; got an array`],
  [{ type: "exponential" }, `schedule.baseMs must be ${DELAY}; got undefined`],
  [{ type: "fixed" }, `schedule.delayMs must be ${DELAY}; got undefined`],
  [{ type: "stepped" }, `schedule.stepsMs must be ${STEPS}; got undefined`],
  [exponential({ baseMs: Number.NaN }), `schedule.baseMs must be ${DELAY}; got NaN`],
  [exponential({ baseMs: -1 }), `schedule.baseMs must be ${DELAY}; got -1`],
  [exponential({ baseMs: Number.POSITIVE_INFINITY }), `schedule.baseMs must be ${DELAY}; got Infinity`],
  [exponential({ baseMs: 2 ** 31 }), `schedule.baseMs must be ${DELAY}; got 2147483648`],
  [exponential({ baseMs: "1000" }), `schedule.baseMs must be ${DELAY}; got "1000"`],
  [exponential({ baseMs: null }), `schedule.baseMs must be ${DELAY}; got null`],
  [exponential({ factor: 0.999 }), `schedule.factor must be ${FACTOR}; got 0.999`],
  [exponential({ factor: Number.NaN }), `schedule.factor must be ${FACTOR}; got NaN`],
  [exponential({ factor: Number.POSITIVE_INFINITY }), `schedule.factor must be ${FACTOR}; got Infinity`],
  [exponential({ factor: null }), `schedule.factor must be ${FACTOR}; got null`],
  [{ type: "fibonacci", unitMs: -5 }, `schedule.unitMs must be ${DELAY}; got -5`],
  [{ type: "fibonacci", repeatFirst: 1 }, "schedule.repeatFirst must be true or false; got 1"],
  [{ type: "stepped", stepsMs: [] }, `schedule.stepsMs must be ${STEPS}; got an array`],
  [{ type: "stepped", stepsMs: { length: 1, 0: 1 } }, `schedule.stepsMs must be ${STEPS}; got an object`],
  [{ type: "stepped", stepsMs: [1, -2] }, `schedule.stepsMs[1] must be ${DELAY}; got -2`],
  // biome-ignore lint/suspicious/noSparseArray: the hole is the point.
  [{ type: "stepped", stepsMs: [1, , 2] }, `schedule.stepsMs[1] must be ${DELAY}; got undefined`],
  [fixed({ delayMs: Number.NaN }), `schedule.delayMs must be ${DELAY}; got NaN`],
  [fixed({ capMs: -1 }), `schedule.capMs must be ${DELAY}; got -1`],
  [fixed({ capMs: Number.POSITIVE_INFINITY }), `schedule.capMs must be ${DELAY}; got Infinity`],
  [fixed({ jitter: "some" }), `schedule.jitter must be ${JITTER}; got "some"`],
  [fixed({ jitter: true }), `schedule.jitter must be ${JITTER}; got true`],
  [fixed({ budgetMs: -1 }), `schedule.budgetMs must be ${BUDGET}; got -1`],
  [fixed({ budgetMs: Number.NaN }), `schedule.budgetMs must be ${BUDGET}; got NaN`],
  [fixed({ budgetMs: Number.POSITIVE_INFINITY }), `schedule.budgetMs must be ${BUDGET}; got Infinity`],
  [fixed({ budgetMs: 5n }), `schedule.budgetMs must be ${BUDGET}; got 5n`],
  [fixed({ atMost: -1 }), `schedule.atMost must be ${AT_MOST}; got -1`],
  [fixed({ atMost: 1.5 }), `schedule.atMost must be ${AT_MOST}; got 1.5`],
  [fixed({ atMost: Number.POSITIVE_INFINITY }), `schedule.atMost must be ${AT_MOST}; got Infinity`],
  [fixed({ atMost: null }), `schedule.atMost must be ${AT_MOST}; got null`],
  [
    fixed({ maxRetries: 3 }),
    "schedule.maxRetries must be omitted (fixed has delayMs, capMs, jitter, budgetMs, atMost); got 3",
  ],
  [
    exponential({ delayMs: 3 }),
    "schedule.delayMs must be omitted (exponential has baseMs, factor, capMs, jitter, budgetMs, atMost); got 3",
  ],
  [
    { type: "fibonacci", capms: undefined },
    "schedule.capms must be omitted (fibonacci has unitMs, repeatFirst, capMs, jitter, budgetMs, atMost); got undefined",
  ],
  [
    { type: "stepped", stepsMs: [1], toString: 1 },
    "schedule.toString must be omitted (stepped has stepsMs, capMs, jitter, budgetMs, atMost); got 1",
  ],
];

const GOOD: readonly ScheduleSpec[] = [
  { type: "exponential", baseMs: 0, factor: 1, capMs: 0, jitter: "none", budgetMs: 0, atMost: 0 },
  { type: "exponential", baseMs: MAX_DELAY_MS, factor: 1e308, capMs: MAX_DELAY_MS, jitter: "full", budgetMs: 1e300 },
  { type: "fibonacci", unitMs: 0.5, repeatFirst: false, jitter: "equal", atMost: Number.MAX_SAFE_INTEGER },
  { type: "stepped", stepsMs: [0, MAX_DELAY_MS], jitter: "decorrelated" },
  { type: "fixed", delayMs: 0.25 },
];

describe("schedules that make no sense cannot be built", () => {
  test.each(BAD)("E11: refuses %o", (spec, message) => {
    expect(() => schedule(spec as ScheduleSpec)).toThrow(InvalidInput);
    expect(() => schedule(spec as ScheduleSpec)).toThrow(expect.objectContaining({ message }));
  });

  test.each(GOOD)("E11: takes values at their bounds: %o", (spec) => {
    expect(schedule(spec).spec).toBe(spec);
  });

  test("E11: the message names the path of the schedule", () => {
    const bad = { type: "exponential", baseMs: -1 } as const;
    expect(() => schedule(bad, "policy.schedules.general")).toThrow(
      new InvalidInput("policy.schedules.general.baseMs", -1, DELAY),
    );
  });

  test("E11: reads what JSON brought, own prototype tricks included", () => {
    const spec = JSON.parse('{"type":"fixed","delayMs":1,"__proto__":{"atMost":0}}');
    expect(() => schedule(spec)).toThrow(/^schedule\.__proto__ must be omitted/);
  });
});
