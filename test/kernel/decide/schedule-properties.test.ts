import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Schedule, schedule } from "../../../src/kernel/decide/schedule.ts";
import { MAX_DELAY_MS } from "../../../src/kernel/decide/schedule-check.ts";
import type { Jitter, ScheduleSpec } from "../../../src/kernel/model/schedule-spec.ts";

const delayMs = fc.oneof(
  fc.integer({ min: 0, max: MAX_DELAY_MS }),
  fc.double({ min: 0, max: 100_000, noNaN: true }),
  fc.constantFrom(0, 1, MAX_DELAY_MS, Number.MIN_VALUE, 7 * Number.MIN_VALUE),
);
const positiveMs = fc.integer({ min: 1, max: 3_600_000 });
const jitter = fc.constantFrom<Jitter>("none", "full", "equal", "decorrelated");

function specs(anyMs: fc.Arbitrary<number>, limits: object): fc.Arbitrary<ScheduleSpec> {
  const factor = fc.oneof(
    fc.double({ min: 1, max: 1.01, noNaN: true }),
    fc.double({ min: 1, max: 1e308, noNaN: true }),
  );
  const record = (required: Record<string, fc.Arbitrary<unknown>>, optional: Record<string, fc.Arbitrary<unknown>>) =>
    fc.record(
      { ...required, ...optional, jitter, ...limits },
      { requiredKeys: [...Object.keys(required), ...Object.keys(limits)] as never },
    );
  return fc.oneof(
    record({ type: fc.constant("exponential"), baseMs: anyMs }, { factor, capMs: anyMs }),
    record({ type: fc.constant("fibonacci") }, { unitMs: anyMs, repeatFirst: fc.boolean(), capMs: anyMs }),
    record(
      { type: fc.constant("stepped"), stepsMs: fc.array(anyMs, { minLength: 1, maxLength: 12 }) },
      { capMs: anyMs },
    ),
    record({ type: fc.constant("fixed"), delayMs: anyMs }, { capMs: anyMs }),
  ) as unknown as fc.Arbitrary<ScheduleSpec>;
}

const atMost = fc.integer({ min: 0, max: 200 });
const budgetMs = fc.double({ min: 0, max: 1e12, noNaN: true });
const randoms = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));

/** The delays that a generation would really get, up to `most` of them. */
function draws(compiled: Schedule, source: Iterator<number>, most: number): number[] {
  const random = () => source.next().value as number;
  const given: number[] = [];
  let waitedMs = 0;
  while (given.length < most) {
    const previousMs = given.at(-1);
    const draw = previousMs === undefined ? { random, waitedMs } : { random, waitedMs, previousMs };
    const next = compiled.delayFor(given.length + 1, draw);
    if (next === undefined) break;
    given.push(next);
    waitedMs += next;
  }
  return given;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe("properties of every schedule", () => {
  test("E11: a delay is never negative, never NaN, never above the cap, whatever the retry number", () => {
    fc.assert(
      fc.property(specs(delayMs, {}), fc.integer({ min: 1, max: 1e9 }), randoms, (spec, retry, source) => {
        const compiled = schedule(spec);
        const plain = compiled.delayFor(retry);
        const drawn = compiled.delayFor(retry, { random: () => source.next().value, previousMs: plain ?? 0 });
        const ceilingMs = spec.capMs ?? MAX_DELAY_MS;
        for (const given of [plain, drawn]) {
          expect(given).toBeGreaterThanOrEqual(0);
          expect(given).toBeLessThanOrEqual(ceilingMs);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("E11: equal jitter of the very smallest numbers stays within the delay, too", () => {
    const smallest = 11 * Number.MIN_VALUE;
    const compiled = schedule({ type: "fixed", delayMs: smallest, jitter: "equal" });
    expect(compiled.delayFor(1, { random: () => 1 })).toBeLessThanOrEqual(smallest);
  });

  test("E11: the sum of what was drawn is never over the budget", () => {
    fc.assert(
      fc.property(specs(delayMs, { budgetMs }), randoms, (spec, source) => {
        expect(sum(draws(schedule(spec), source, 300))).toBeLessThanOrEqual(spec.budgetMs as number);
      }),
    );
  });

  test("E11: without a draw it gives exactly maxRetries delays, and they fit the budget", () => {
    fc.assert(
      fc.property(specs(positiveMs, { budgetMs: fc.integer({ min: 0, max: 100_000_000 }) }), (spec) => {
        const compiled = schedule(spec);
        const maxRetries = compiled.maxRetries as number;
        expect(Number.isSafeInteger(maxRetries)).toBe(true);
        expect(compiled.delayFor(maxRetries + 1)).toBeUndefined();
        if (maxRetries > 0) expect(compiled.delayFor(maxRetries)).toBeGreaterThan(0);
        if (maxRetries > 5000) return;
        const given = Array.from({ length: maxRetries }, (_, index) => compiled.delayFor(index + 1) as number);
        const budget = spec.budgetMs as number;
        expect(sum(given)).toBeLessThanOrEqual(budget * (1 + 1e-9));
        // One more would not have fitted.
        const { budgetMs: _, ...unlimited } = spec;
        const next = schedule(unlimited).delayFor(maxRetries + 1) as number;
        expect(sum(given) + next).toBeGreaterThan(budget * (1 - 1e-9));
      }),
      { numRuns: 300 },
    );
  });

  test("E11: it always ends with at most n, or with a budget and delays that take time", () => {
    fc.assert(
      fc.property(specs(delayMs, { atMost }), randoms, (spec, source) => {
        expect(draws(schedule(spec), source, 1000).length).toBeLessThanOrEqual(spec.atMost as number);
      }),
    );
    const lively = fc.infiniteStream(fc.double({ min: 0.1, max: 1, maxExcluded: true, noNaN: true }));
    const short = fc.integer({ min: 0, max: 50 });
    fc.assert(
      fc.property(specs(positiveMs, { budgetMs: short }), lively, (spec, source) => {
        // At least 0.1 ms each within 50 ms.
        expect(draws(schedule(spec), source, 1000).length).toBeLessThanOrEqual(500);
      }),
    );
  });

  test("E11: jitter keeps within its bounds", () => {
    fc.assert(
      fc.property(
        specs(delayMs, {}),
        fc.integer({ min: 1, max: 60 }),
        delayMs,
        randoms,
        (spec, retry, previousMs, source) => {
          const compiled = schedule(spec);
          const plain = compiled.delayFor(retry) as number;
          const base = compiled.delayFor(1) as number;
          const given = compiled.delayFor(retry, { random: () => source.next().value, previousMs }) as number;
          const bounds: Record<Jitter, readonly [number, number]> = {
            none: [plain, plain],
            full: [0, plain],
            equal: [plain / 2, plain],
            decorrelated: [base, Math.max(base, 3 * previousMs) * (1 + 1e-12)],
          };
          const [least, most] = bounds[spec.jitter ?? "none"];
          expect(given).toBeGreaterThanOrEqual(least);
          expect(given).toBeLessThanOrEqual(most);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("E11: the same random source gives the same delays", () => {
    fc.assert(
      fc.property(
        specs(delayMs, { atMost }),
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true })),
        (spec, list) => {
          const source = () => list.concat(Array.from({ length: 300 }, () => 0.5)).values();
          expect(draws(schedule(spec), source(), 300)).toEqual(draws(schedule(spec), source(), 300));
        },
      ),
    );
  });
});
