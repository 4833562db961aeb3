import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type BreakerState,
  breakerAfterAdmission,
  breakerAfterDenial,
  breakerAfterFailure,
  breakerAfterRelease,
  breakerAfterSuccess,
  breakerBlockedForMs,
  breakerWaitMs,
  CLOSED,
  isFormerProbe,
  isStraggler,
} from "../../../src/kernel/health/breaker.ts";
import { type Ramp, rampAfterFailure, startRamp } from "../../../src/kernel/health/ramp.ts";
import {
  hasRetryToken,
  spendsRetry,
  tokensAfterRetry,
  tokensAfterSuccess,
} from "../../../src/kernel/health/retry-budget.ts";
import { FAILURE_KINDS, type Failure } from "../../../src/kernel/model/failure.ts";
import { failureOf, policyOf } from "./fixtures.ts";

const spec = { failures: 3, cooldownMs: 100, maxCooldownMs: 300, rampMs: 30_000 };
const open: BreakerState = { phase: "open", sinceMs: 400, untilMs: 500, cooldownMs: 100, turnedAway: 0 };
const halfOpen: BreakerState = { phase: "half-open", sinceMs: 100, probeAtMs: 400, cooldownMs: 100, turnedAway: 0 };
const exhausted: Ramp = { ...startRamp(1000, 0), underWay: 9, credit: 0 };
const recovering: BreakerState = { phase: "recovering", ramp: exhausted };

describe("C9: the breaker as a value", () => {
  test.each<[string, BreakerState, number, number]>([
    ["closed never blocks", { phase: "closed", failures: 2 }, 0, 0],
    ["open blocks until its time", open, 499, 1],
    ["open lets through at its time", open, 500, 0],
    ["open lets through after its time", open, 501, 0],
    ["half-open blocks while the probe is out", halfOpen, 499, 1],
    ["half-open lets through when the probe is lost", halfOpen, 500, 0],
    ["half-open lets through long after", halfOpen, 900, 0],
    ["recovering blocks when no place is left", recovering, 1000, 500],
    ["recovering lets through when there is a place", { phase: "recovering", ramp: startRamp(1000, 0) }, 1000, 0],
    ["recovering is over when no call was turned away for long", recovering, 4000, 0],
  ])("C9: %s", (_, state, nowMs, blockedMs) => {
    expect(breakerBlockedForMs(state, spec, nowMs)).toBe(blockedMs);
  });

  test("B5: each call that is turned away gets a different wait, the first one the shortest", () => {
    const waits = (from: BreakerState, nowMs: number): number[] => {
      let state = from;
      return Array.from({ length: 5 }, () => {
        const waitMs = breakerWaitMs(state, spec, nowMs);
        state = breakerAfterDenial(state, spec, nowMs);
        return Math.round(waitMs);
      });
    };
    expect(waits(open, 450)).toEqual([50, 668, 286, 904, 522]);
    expect(waits(halfOpen, 450)).toEqual([50, 668, 286, 904, 522]);
    expect(waits(recovering, 1000)).toEqual([500, 1118, 736, 1354, 972]);
    expect(waits(CLOSED, 0)).toEqual([0, 0, 0, 0, 0]);
  });

  test("B5: where others wait, a call that has failed comes after them", () => {
    const crowded: BreakerState = { ...open, turnedAway: 3 };
    expect(breakerBlockedForMs(crowded, spec, 450)).toBe(1050);
    expect(breakerBlockedForMs(crowded, spec, 500)).toBe(0);
    const probing = breakerAfterAdmission(crowded, spec, 500);
    expect(breakerBlockedForMs(breakerAfterFailure(probing, spec, 510), spec, 510)).toBe(1190);
    expect(breakerBlockedForMs(breakerAfterRelease(probing, 510), spec, 510)).toBe(0);
  });

  test("B5: no call behind a probe sleeps for the whole of its claim", () => {
    const slow: BreakerState = { ...halfOpen, cooldownMs: 60_000 };
    expect(breakerBlockedForMs(slow, spec, 400)).toBe(60_000);
    expect(breakerWaitMs(slow, spec, 400)).toBe(1000);
  });

  test("C9: letting an attempt through takes the probe, unless it is closed", () => {
    const closed: BreakerState = { phase: "closed", failures: 2 };
    expect(breakerAfterAdmission(closed, spec, 500)).toBe(closed);
    expect(breakerAfterDenial(closed, spec, 500)).toBe(closed);
    const probing = { phase: "half-open", cooldownMs: 100, turnedAway: 0 };
    expect(breakerAfterAdmission(open, spec, 500)).toEqual({ ...probing, sinceMs: 400, probeAtMs: 500 });
    expect(breakerAfterAdmission(halfOpen, spec, 550)).toEqual({ ...probing, sinceMs: 100, probeAtMs: 550 });
    expect(breakerAfterAdmission(recovering, spec, 4000)).toBe(CLOSED);
  });

  test("C9: success closes a closed one, and puts any other on its way back", () => {
    expect(breakerAfterSuccess(CLOSED, 7)).toBe(CLOSED);
    expect(breakerAfterSuccess({ phase: "closed", failures: 2 }, 7)).toBe(CLOSED);
    for (const state of [open, halfOpen]) {
      expect(breakerAfterSuccess(state, 600)).toEqual({ phase: "recovering", ramp: startRamp(600, 1100) });
    }
    expect(breakerAfterSuccess(recovering, 1100)).toMatchObject({ phase: "recovering", ramp: { successes: 2 } });
    expect(CLOSED).toEqual({ phase: "closed", failures: 0 });
    expect(Object.isFrozen(CLOSED)).toBe(true);
  });

  test("C9: failure counts, opens, and doubles, counted from the probe's start", () => {
    const reopened = { phase: "open", sinceMs: 100, turnedAway: 0 };
    expect(breakerAfterFailure(CLOSED, spec, 7)).toEqual({ phase: "closed", failures: 1 });
    expect(breakerAfterFailure({ phase: "closed", failures: 1 }, spec, 7)).toEqual({ phase: "closed", failures: 2 });
    expect(breakerAfterFailure({ phase: "closed", failures: 2 }, spec, 7)).toEqual({
      ...reopened,
      sinceMs: 7,
      untilMs: 107,
      cooldownMs: 100,
    });
    expect(breakerAfterFailure(halfOpen, spec, 410)).toEqual({ ...reopened, untilMs: 600, cooldownMs: 200 });
    expect(breakerAfterFailure(halfOpen, spec, 700)).toEqual({ ...reopened, untilMs: 700, cooldownMs: 200 });
    expect(breakerAfterFailure({ ...halfOpen, cooldownMs: 200 }, spec, 410)).toEqual({
      ...reopened,
      untilMs: 700,
      cooldownMs: 300,
    });
    expect(breakerAfterFailure(open, spec, 7)).toBe(open);
  });

  test("B5: on its way back it opens again when more goes wrong than well, with the short cooldown", () => {
    const fresh: BreakerState = { phase: "recovering", ramp: startRamp(1000, 0) };
    const once = breakerAfterFailure(fresh, spec, 1100);
    expect(once).toEqual({ phase: "recovering", ramp: rampAfterFailure(startRamp(1000, 0)) });
    expect(breakerAfterFailure(once, spec, 1200)).toEqual({
      phase: "open",
      sinceMs: 1200,
      untilMs: 1300,
      cooldownMs: 100,
      turnedAway: 0,
    });
  });

  test("C9: an attempt without a verdict gives its place back, and changes nothing else", () => {
    expect(breakerAfterRelease(CLOSED, 7)).toBe(CLOSED);
    expect(breakerAfterRelease(open, 7)).toBe(open);
    expect(breakerAfterRelease(halfOpen, 407)).toEqual({ ...open, sinceMs: 100, untilMs: 407 });
    expect(breakerAfterRelease(recovering, 1007)).toEqual({
      phase: "recovering",
      ramp: { ...exhausted, credit: 1, underWay: 8 },
    });
  });

  test.each<[string, BreakerState, number, boolean, boolean]>([
    ["closed: everyone counts", CLOSED, -1, false, false],
    ["open: asked before it opened", open, 400, true, false],
    ["open: sent by a person since", open, 401, false, false],
    ["half-open: asked before it opened", halfOpen, 100, true, true],
    ["half-open: a probe whose claim is over", halfOpen, 399, false, true],
    ["half-open: the probe", halfOpen, 400, false, false],
    ["recovering: asked before the good probe's answer", recovering, 999, true, false],
    ["recovering: let through since", recovering, 1000, false, false],
  ])("B5: %s", (_, state, admittedAtMs, straggles, isOldProbe) => {
    expect(isStraggler(state, admittedAtMs)).toBe(straggles);
    expect(isFormerProbe(state, admittedAtMs)).toBe(isOldProbe);
  });
});

/** The breaker once more, as one would explain it to a person: with names for what it remembers. */
class Explained {
  failuresInARow = 0;
  cooldownMs = 0;
  shutUntilMs: number | undefined;
  probeAtMs: number | undefined;
  isRecovering = false;
  wentWell = 1;
  wentWrong = 0;

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
  test("B5: without a ramp it agrees with its explanation, and lets one probe out at a time", () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 5 }), (sequence, failures) => {
        const rules = { ...spec, failures, rampMs: 0 };
        let model = new Explained();
        let state: BreakerState = CLOSED;
        let nowMs = 0;
        const open = (): void => {
          model = new Explained();
          Object.assign(model, { cooldownMs: spec.cooldownMs, shutUntilMs: nowMs + spec.cooldownMs });
        };
        for (const step of sequence) {
          switch (step.do) {
            case "later":
              nowMs += step.byMs;
              break;
            case "pass": {
              if (!model.mayPass(nowMs)) break;
              state = breakerAfterAdmission(state, rules, nowMs);
              if (model.isRecovering) model = new Explained();
              if (model.shutUntilMs !== undefined) {
                Object.assign(model, { probeAtMs: nowMs, shutUntilMs: nowMs + model.cooldownMs });
                // Exactly one: the next call has to wait.
                expect(breakerBlockedForMs(state, rules, nowMs)).toBe(model.cooldownMs);
              }
              break;
            }
            case "success":
              state = breakerAfterSuccess(state, nowMs);
              if (model.isRecovering) Object.assign(model, { wentWell: model.wentWell + 1, failuresInARow: 0 });
              else model = Object.assign(new Explained(), { isRecovering: model.shutUntilMs !== undefined });
              break;
            case "release":
              state = breakerAfterRelease(state, nowMs);
              if (model.probeAtMs !== undefined) Object.assign(model, { probeAtMs: undefined, shutUntilMs: nowMs });
              break;
            case "failure":
              state = breakerAfterFailure(state, rules, nowMs);
              if (model.probeAtMs !== undefined) {
                const cooldownMs = Math.min(model.cooldownMs * 2, spec.maxCooldownMs);
                const shutUntilMs = Math.max(nowMs, model.probeAtMs + cooldownMs);
                Object.assign(model, { probeAtMs: undefined, cooldownMs, shutUntilMs });
              } else if (model.shutUntilMs === undefined) {
                model.failuresInARow++;
                model.wentWrong++;
                const isBad = model.isRecovering && model.wentWrong > model.wentWell;
                if (isBad || model.failuresInARow >= failures) open();
              }
              break;
            default:
              step satisfies never;
          }
          const blockedMs = breakerBlockedForMs(state, rules, nowMs);
          expect(blockedMs).toBe(Math.max(0, (model.shutUntilMs ?? 0) - nowMs));
        }
      }),
      { numRuns: 500 },
    );
  });

  test("B5: no sequence of events holds a call back for longer than the longest cooldown or gives an invalid wait", () => {
    fc.assert(
      fc.property(
        steps,
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom(1, 500, 30_000),
        (sequence, failures, rampMs) => {
          const rules = { ...spec, failures, rampMs };
          let state: BreakerState = CLOSED;
          let nowMs = 0;
          for (const step of sequence) {
            if (step.do === "later") nowMs += step.byMs;
            else if (step.do === "success") state = breakerAfterSuccess(state, nowMs);
            else if (step.do === "failure") state = breakerAfterFailure(state, rules, nowMs);
            else if (step.do === "release") state = breakerAfterRelease(state, nowMs);
            else if (breakerBlockedForMs(state, rules, nowMs) === 0) state = breakerAfterAdmission(state, rules, nowMs);
            else state = breakerAfterDenial(state, rules, nowMs);
            const blockedMs = breakerBlockedForMs(state, rules, nowMs);
            const waitMs = breakerWaitMs(state, rules, nowMs);
            expect(blockedMs).toBeGreaterThanOrEqual(0);
            expect(blockedMs).toBeLessThanOrEqual(1300);
            if (blockedMs > 0) expect(waitMs).toBeGreaterThan(0);
            expect(waitMs).toBeLessThan(1500);
            // Left alone for the longest cooldown, it lets a call through.
            expect(breakerBlockedForMs(state, rules, nowMs + spec.maxCooldownMs)).toBe(0);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

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
