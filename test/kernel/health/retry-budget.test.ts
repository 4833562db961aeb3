import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  budgetAfterRetry,
  budgetAfterSuccess,
  capacityOf,
  hasRetryToken,
  type RetryBudget,
  spendsRetry,
} from "../../../src/kernel/health/retry-budget.ts";
import { FAILURE_KINDS, type Failure } from "../../../src/kernel/model/failure.ts";
import type { RetryBudgetSpec } from "../../../src/kernel/model/policy.ts";
import { failureOf, policyOf } from "./fixtures.ts";

describe("B5: which failures spend the retry budget", () => {
  const policy = policyOf({});
  const spending = (facts: Partial<Failure>, by = policy) =>
    FAILURE_KINDS.filter((kind) => spendsRetry({ ...failureOf(kind), ...facts }, by));

  test("B5: every kind without a hint but a used-up quota", () => {
    expect(spending({})).toEqual(FAILURE_KINDS.filter((kind) => kind !== "usage_limit"));
  });

  test("B5: with a hint not a rate limit, unless hints are not honoured or it can never fit", () => {
    const most = FAILURE_KINDS.filter((kind) => kind !== "usage_limit");
    const unlimited = most.filter((kind) => kind !== "rate_limit");
    expect(spending({ hintMs: 5 })).toEqual(unlimited);
    expect(spending({ hintMs: 5 }, policyOf({ honourHints: false }))).toEqual(most);
    const refusals = ["auth", "permission", "not_found"];
    expect(spending({ hintMs: 5, retryable: false })).toEqual(most.filter((kind) => !refusals.includes(kind)));
  });
});

describe("B5: the retry budget as a value", () => {
  const spec = { capacity: 10, capacitySeconds: 30, refillPerSuccess: 0.25, refillPerSecond: 1 };
  const full = { tokens: 10, lookedMs: 0 };

  test("B5: spends whole tokens and refills in parts", () => {
    const has = (tokens: number): boolean => hasRetryToken({ tokens, lookedMs: 0 }, spec, 0, 0);
    const after = (tokens: number): number => budgetAfterRetry({ tokens, lookedMs: 0 }, spec, 0, 0).tokens;
    const refilled = (tokens: number) => budgetAfterSuccess({ tokens, lookedMs: 0 }, spec, 0, 0)?.tokens;
    expect([0, 0.99, 1, 1.01].map(has)).toEqual([false, false, true, true]);
    expect([0, 0.5, 1, 3.5].map(after)).toEqual([0, 0, 0, 2.5]);
    expect([0, 9.5, 9.75, 9.9, 10].map(refilled)).toEqual([0.25, 9.75, undefined, undefined, undefined]);
  });

  test("B5: each second refills, whatever happens, but never beyond the capacity", () => {
    const empty = { tokens: 0, lookedMs: 1000 };
    expect([0, 1000, 1999, 2000].map((nowMs) => hasRetryToken(empty, spec, 0, nowMs))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(budgetAfterRetry(empty, spec, 0, 3500)).toEqual({ tokens: 1.5, lookedMs: 3500 });
    expect(budgetAfterRetry(empty, spec, 0, 3_600_000)).toEqual({ tokens: 9, lookedMs: 3_600_000 });
  });

  test("B5: a clock of successes that is behind the one of retries does not refill more", () => {
    const left = (lagMs: number): number => {
      let budget = { tokens: 1000, lookedMs: 0 };
      for (let nowMs = 0; nowMs < 1000; nowMs += 10) {
        budget = budgetAfterRetry(budget, spec, 100, nowMs);
        budget = budgetAfterSuccess(budget, spec, 100, nowMs - lagMs) ?? budget;
      }
      return budget.tokens;
    };
    expect(left(100)).toBeCloseTo(left(0));
  });

  test("B5: the more traffic there is, the more each second puts back", () => {
    const empty = { tokens: 0, lookedMs: 0 };
    const left = (perSecond: number): number => budgetAfterRetry(empty, spec, perSecond, 5000).tokens;
    expect(left(0)).toBe(4);
    expect(left(1000)).toBeGreaterThan(100);
    expect(left(1000)).toBeLessThan(2500);
  });

  test("B5: its size follows the traffic, and is never less than the capacity", () => {
    expect(capacityOf(spec, 0)).toBe(10);
    expect(capacityOf(spec, 0.1)).toBe(10);
    expect(capacityOf(spec, 100)).toBe(3000);
    // What was gathered while there was more traffic does not last.
    expect(budgetAfterRetry({ tokens: 3000, lookedMs: 0 }, spec, 1, 0).tokens).toBe(29);
    expect(budgetAfterSuccess(full, spec, 100, 0)).toEqual({ tokens: 10.25, lookedMs: 0 });
  });

  const spent: fc.Arbitrary<RetryBudgetSpec> = fc.record({
    capacity: fc.integer({ min: 1, max: 20 }),
    capacitySeconds: fc.double({ min: 0, max: 5, noNaN: true }),
    refillPerSuccess: fc.double({ min: 0, max: 3, noNaN: true }),
    refillPerSecond: fc.double({ min: 0.01, max: 3, noNaN: true }),
  });
  const steps = fc.array(fc.oneof(fc.constantFrom("retry" as const, "success" as const), fc.nat({ max: 3000 })));

  test("B5: under any sequence no more retries go than there were tokens, and a caller that asks on gets one", () => {
    fc.assert(
      fc.property(steps, spent, fc.double({ min: 0, max: 50, noNaN: true }), (all, rules, perSecond) => {
        let budget: RetryBudget = { tokens: capacityOf(rules, perSecond), lookedMs: 0 };
        let nowMs = 0;
        let gone = 0;
        let earned = budget.tokens;
        for (const step of all) {
          if (typeof step === "number") nowMs += step;
          else if (step === "success") {
            earned += rules.refillPerSuccess;
            budget = budgetAfterSuccess(budget, rules, perSecond, nowMs) ?? {
              tokens: capacityOf(rules, perSecond),
              lookedMs: nowMs,
            };
          } else if (hasRetryToken(budget, rules, perSecond, nowMs)) {
            gone++;
            budget = budgetAfterRetry(budget, rules, perSecond, nowMs);
          }
          // Where there is much traffic each second puts more back, but less than half of the usual answers.
          const mostPerSecond = Math.max(rules.refillPerSecond, perSecond / 2);
          expect(gone).toBeLessThanOrEqual(earned + (nowMs / 1000) * mostPerSecond + 1e-6);
          expect(budget.tokens).toBeGreaterThanOrEqual(0);
          expect(budget.tokens).toBeLessThanOrEqual(capacityOf(rules, perSecond));
          const patienceMs = 1000 / rules.refillPerSecond + 1;
          expect(hasRetryToken(budget, rules, perSecond, nowMs + patienceMs)).toBe(true);
        }
      }),
    );
  });
});
