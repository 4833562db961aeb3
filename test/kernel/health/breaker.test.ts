import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type BreakerState,
  breakerAdmitted,
  breakerAfterFailure,
  breakerAfterRelease,
  breakerAfterSuccess,
  breakerBlockedForMs,
  CLOSED,
} from "../../../src/kernel/health/breaker.ts";
import { hasRetryToken, tokensAfterRetry, tokensAfterSuccess } from "../../../src/kernel/health/retry-budget.ts";

const spec = { failures: 3, cooldownMs: 100, maxCooldownMs: 300 };
const open: BreakerState = { phase: "open", untilMs: 500, cooldownMs: 100 };
const halfOpen: BreakerState = { phase: "half-open", probeUntilMs: 500, cooldownMs: 100 };

describe("C9: the breaker as a value", () => {
  test.each<[string, BreakerState, number, number]>([
    ["closed never blocks", { phase: "closed", failures: 2 }, 0, 0],
    ["open blocks until its time", open, 499, 1],
    ["open lets through at its time", open, 500, 0],
    ["open lets through after its time", open, 501, 0],
    ["half-open blocks while the probe is out", halfOpen, 499, 1],
    ["half-open lets through when the probe is lost", halfOpen, 500, 0],
    ["half-open lets through long after", halfOpen, 900, 0],
  ])("C9: %s", (_, state, nowMs, blockedMs) => {
    expect(breakerBlockedForMs(state, nowMs)).toBe(blockedMs);
  });

  test("C9: letting an attempt through takes the probe, unless it is closed", () => {
    const closed: BreakerState = { phase: "closed", failures: 2 };
    expect(breakerAdmitted(closed, 500)).toBe(closed);
    expect(breakerAdmitted(open, 500)).toEqual({ phase: "half-open", probeUntilMs: 600, cooldownMs: 100 });
    expect(breakerAdmitted(halfOpen, 550)).toEqual({ phase: "half-open", probeUntilMs: 650, cooldownMs: 100 });
  });

  test("C9: success closes all but an open one", () => {
    expect(breakerAfterSuccess(CLOSED)).toBe(CLOSED);
    expect(breakerAfterSuccess({ phase: "closed", failures: 2 })).toBe(CLOSED);
    expect(breakerAfterSuccess(halfOpen)).toBe(CLOSED);
    expect(breakerAfterSuccess(open)).toBe(open);
    expect(CLOSED).toEqual({ phase: "closed", failures: 0 });
    expect(Object.isFrozen(CLOSED)).toBe(true);
  });

  test("C9: failure counts, opens, and doubles", () => {
    expect(breakerAfterFailure(CLOSED, spec, 7)).toEqual({ phase: "closed", failures: 1 });
    expect(breakerAfterFailure({ phase: "closed", failures: 1 }, spec, 7)).toEqual({ phase: "closed", failures: 2 });
    expect(breakerAfterFailure({ phase: "closed", failures: 2 }, spec, 7)).toEqual({
      phase: "open",
      untilMs: 107,
      cooldownMs: 100,
    });
    expect(breakerAfterFailure(halfOpen, spec, 7)).toEqual({ phase: "open", untilMs: 207, cooldownMs: 200 });
    expect(breakerAfterFailure({ ...halfOpen, cooldownMs: 200 }, spec, 7)).toEqual({
      phase: "open",
      untilMs: 307,
      cooldownMs: 300,
    });
    expect(breakerAfterFailure(open, spec, 7)).toBe(open);
  });

  test("C9: an attempt without a verdict gives the probe back, and changes nothing else", () => {
    expect(breakerAfterRelease(CLOSED, 7)).toBe(CLOSED);
    expect(breakerAfterRelease(open, 7)).toBe(open);
    expect(breakerAfterRelease(halfOpen, 7)).toEqual({ phase: "open", untilMs: 7, cooldownMs: 100 });
  });
});

/** The breaker once more, as one would explain it to a person: with names for what it remembers. */
class Explained {
  failuresInARow = 0;
  cooldownMs = 0;
  shutUntilMs: number | undefined;
  isProbing = false;

  mayPass(nowMs: number): boolean {
    return this.shutUntilMs === undefined || nowMs >= this.shutUntilMs;
  }
}

type Step =
  | { readonly do: "pass" | "success" | "failure" | "release" }
  | { readonly do: "later"; readonly byMs: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.constantFrom<Step>({ do: "pass" }, { do: "success" }, { do: "failure" }, { do: "failure" }, { do: "release" }),
    fc.integer({ min: 1, max: 400 }).map((byMs): Step => ({ do: "later", byMs })),
  ),
  { maxLength: 80 },
);

describe("B5: the breaker under any sequence of events", () => {
  test("B5: agrees with its explanation, lets one probe out at a time and never stays shut for ever", () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 5 }), (sequence, failures) => {
        const rules = { ...spec, failures };
        let model = new Explained();
        let state: BreakerState = CLOSED;
        let nowMs = 0;
        for (const step of sequence) {
          switch (step.do) {
            case "later":
              nowMs += step.byMs;
              break;
            case "pass": {
              if (!model.mayPass(nowMs)) break;
              state = breakerAdmitted(state, nowMs);
              if (model.shutUntilMs !== undefined) {
                model.isProbing = true;
                model.shutUntilMs = nowMs + model.cooldownMs;
                // Exactly one: whoever comes next has to wait.
                expect(breakerBlockedForMs(state, nowMs)).toBe(model.cooldownMs);
              }
              break;
            }
            case "success":
              state = breakerAfterSuccess(state);
              if (model.shutUntilMs === undefined || model.isProbing) model = new Explained();
              break;
            case "release":
              state = breakerAfterRelease(state, nowMs);
              if (model.isProbing) Object.assign(model, { isProbing: false, shutUntilMs: nowMs });
              break;
            case "failure":
              state = breakerAfterFailure(state, rules, nowMs);
              if (model.shutUntilMs === undefined) {
                model.failuresInARow++;
                if (model.failuresInARow >= failures) {
                  Object.assign(model, { cooldownMs: spec.cooldownMs, shutUntilMs: nowMs + spec.cooldownMs });
                }
              } else if (model.isProbing) {
                const cooldownMs = Math.min(model.cooldownMs * 2, spec.maxCooldownMs);
                Object.assign(model, { isProbing: false, cooldownMs, shutUntilMs: nowMs + cooldownMs });
              }
              break;
            default:
              step satisfies never;
          }
          const blockedMs = breakerBlockedForMs(state, nowMs);
          expect(blockedMs).toBe(Math.max(0, (model.shutUntilMs ?? 0) - nowMs));
          expect(blockedMs).toBeLessThanOrEqual(spec.maxCooldownMs);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("B5: the retry budget as a number", () => {
  test("B5: spends whole tokens, refills in parts, and keeps between nothing and its capacity", () => {
    const budget = { capacity: 10, refillPerSuccess: 0.25 };
    expect([0, 0.99, 1, 1.01].map(hasRetryToken)).toEqual([false, false, true, true]);
    expect([0, 0.5, 1, 3.5].map(tokensAfterRetry)).toEqual([0, 0, 0, 2.5]);
    expect([0, 9.5, 9.75, 9.9, 10].map((tokens) => tokensAfterSuccess(tokens, budget))).toEqual([
      0.25, 9.75, 10, 10, 10,
    ]);
  });

  test("B5: under any sequence it stays between nothing and its capacity", () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean()),
        fc.integer({ min: 1, max: 20 }),
        fc.double({ min: 0, max: 3, noNaN: true }),
        (all, capacity, refill) => {
          let tokens = capacity;
          for (const isRetry of all) {
            tokens = isRetry
              ? tokensAfterRetry(tokens)
              : tokensAfterSuccess(tokens, { capacity, refillPerSuccess: refill });
            expect(tokens).toBeGreaterThanOrEqual(0);
            expect(tokens).toBeLessThanOrEqual(capacity);
          }
        },
      ),
    );
  });
});
