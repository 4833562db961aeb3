import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type BreakerState,
  breakerAfterAdmission,
  breakerAfterCrowd,
  breakerAfterDenial,
  breakerAfterFailure,
  breakerAfterFormerProbe,
  breakerAfterRelease,
  breakerAfterSuccess,
  breakerBlockedForMs,
  breakerWaitMs,
  CLOSED,
  isFormerProbe,
  isStraggler,
} from "../../../src/kernel/health/breaker.ts";
import { AFTER_OUTAGE, type Ramp, rampAfterFailure, startRamp } from "../../../src/kernel/health/ramp.ts";
import { type Share, shareAfterFailure, startShare } from "../../../src/kernel/health/share.ts";
import { NO_TRAFFIC, type Traffic } from "../../../src/kernel/health/traffic.ts";

const spec = { failures: 3, leastShare: 0.4, cooldownMs: 100, maxCooldownMs: 300, rampMs: 30_000 };
const shut = { cooldownMs: 100, turnedAway: 0, usual: NO_TRAFFIC, failedInMs: undefined };
const open: BreakerState = { ...shut, phase: "open", sinceMs: 400, untilMs: 500 };
const halfOpen: BreakerState = { ...shut, phase: "half-open", sinceMs: 100, probeAtMs: 400 };
const rampAt = (nowMs: number, quietMs = 0, usual = NO_TRAFFIC): Ramp =>
  startRamp({ nowMs, quietMs, usual, successes: 1, steepness: AFTER_OUTAGE });
const exhausted: Ramp = { ...rampAt(1000), underWay: 9, credit: 0 };
const failing = (count: number, nowMs = 7): BreakerState => {
  let share: Share = startShare(0, nowMs);
  for (let n = 0; n < count; n++) share = shareAfterFailure(share, nowMs);
  return { phase: "closed", share };
};
const usually = (perSecond: number): Traffic => ({
  perSecond,
  underWay: perSecond,
  latest: perSecond,
  forMs: 60_000,
  sinceMs: 0,
  answers: 0,
});
const afterFailure = (state: BreakerState, nowMs: number, rules = spec, usual = NO_TRAFFIC): BreakerState =>
  breakerAfterFailure(state, rules, usual, nowMs);
const recovering: BreakerState = { phase: "recovering", ramp: exhausted };

describe("C9: the breaker as a value", () => {
  test.each<[string, BreakerState, number, number]>([
    ["closed never blocks", failing(2), 0, 0],
    ["open blocks until its time", open, 499, 1],
    ["open lets through at its time", open, 500, 0],
    ["open lets through after its time", open, 501, 0],
    ["half-open blocks while the probe is out", halfOpen, 499, 1],
    ["half-open lets through when the probe is lost", halfOpen, 500, 0],
    ["half-open lets through long after", halfOpen, 900, 0],
    ["recovering blocks when no place is left", recovering, 1000, 500],
    ["recovering lets through when there is a place", { phase: "recovering", ramp: rampAt(1000) }, 1000, 0],
    ["recovering is over when no call was turned away for long", recovering, 4000, 0],
  ])("C9: %s", (_, state, nowMs, blockedMs) => {
    expect(breakerBlockedForMs(state, spec, nowMs)).toBe(blockedMs);
  });

  test("B5: each call that is turned away gets a different wait, the first one the shortest", () => {
    const waits = (from: BreakerState, nowMs: number): number[] => {
      let state = from;
      return Array.from({ length: 5 }, () => {
        const waitMs = breakerWaitMs(state, spec, nowMs);
        state = breakerAfterDenial(state, nowMs);
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
    expect(breakerBlockedForMs(afterFailure(probing, 510), spec, 510)).toBe(1190);
    expect(breakerBlockedForMs(breakerAfterRelease(probing, 510), spec, 510)).toBe(0);
  });

  test("B5: no call behind a probe sleeps for the whole of its claim", () => {
    const slow: BreakerState = { ...halfOpen, cooldownMs: 60_000 };
    expect(breakerBlockedForMs(slow, spec, 400)).toBe(60_000);
    expect(breakerWaitMs(slow, spec, 400)).toBe(1000);
  });

  test("C9: letting an attempt through takes the probe, unless it is closed", () => {
    const closed = failing(2);
    expect(breakerAfterAdmission(closed, spec, 500)).toBe(closed);
    expect(breakerAfterDenial(closed, 500)).toBe(closed);
    const probing = { ...shut, phase: "half-open" };
    expect(breakerAfterAdmission(open, spec, 500)).toEqual({ ...probing, sinceMs: 400, probeAtMs: 500 });
    expect(breakerAfterAdmission(halfOpen, spec, 550)).toEqual({ ...probing, sinceMs: 100, probeAtMs: 550 });
    expect(breakerAfterAdmission(recovering, spec, 4000)).toBe(CLOSED);
  });

  test("C9: success closes a closed one, and puts any other on its way back", () => {
    expect(breakerAfterSuccess(CLOSED, 7)).toBe(CLOSED);
    expect(breakerAfterSuccess(failing(2), 8)).toMatchObject({ phase: "closed", share: { failuresInRow: 0 } });
    expect(breakerAfterSuccess(failing(2), 60_000)).toBe(CLOSED);
    for (const state of [open, halfOpen]) {
      expect(breakerAfterSuccess(state, 600)).toEqual({ phase: "recovering", ramp: rampAt(600, 1100) });
    }
    expect(breakerAfterSuccess(recovering, 1100)).toMatchObject({ phase: "recovering", ramp: { successes: 2 } });
    expect(CLOSED).toEqual({ phase: "closed", share: undefined });
    expect(Object.isFrozen(CLOSED)).toBe(true);
  });

  test("C9: failure counts, opens, and doubles, counted from the probe's start", () => {
    const reopened = { ...shut, phase: "open", sinceMs: 100 };
    expect(afterFailure(CLOSED, 7)).toEqual(failing(1));
    expect(afterFailure(failing(1), 7)).toEqual(failing(2));
    expect(afterFailure(failing(2), 7)).toEqual({ ...reopened, sinceMs: 7, untilMs: 107 });
    const longer = { ...reopened, cooldownMs: 200 };
    expect(afterFailure(halfOpen, 410)).toEqual({ ...longer, untilMs: 600, failedInMs: 10 });
    expect(afterFailure(halfOpen, 700)).toEqual({ ...longer, untilMs: 700, failedInMs: 300 });
    expect(afterFailure({ ...halfOpen, cooldownMs: 200 }, 410)).toEqual({
      ...reopened,
      untilMs: 700,
      cooldownMs: 300,
      failedInMs: 10,
    });
    expect(afterFailure(open, 7)).toBe(open);
  });

  test("B5: the more calls are usual, the less a longer cooldown is worth, but it is never shorter than the first", () => {
    const longest = (perSecond: number): number => {
      let state: BreakerState = { ...halfOpen, usual: usually(perSecond) };
      for (let n = 0; n < 9; n++) {
        state = afterFailure(state, 410);
        state = breakerAfterAdmission(state, spec, 410);
      }
      return state.phase === "half-open" ? state.cooldownMs : Number.NaN;
    };
    expect([0.001, 1, 1e6].map(longest)).toEqual([300, 300, 100]);
    const between = longest(40);
    expect(between).toBeGreaterThan(100);
    expect(between).toBeLessThan(300);
  });

  test("B5: a probe that lives much longer than failures take is believed, and the ramp starts with it", () => {
    const quick: BreakerState = { ...halfOpen, cooldownMs: 60_000, failedInMs: 20 };
    expect(breakerBlockedForMs(quick, spec, 420)).toBeGreaterThan(0);
    expect(breakerBlockedForMs(quick, spec, 500)).toBeGreaterThan(0);
    const believedMs = 400 + 100 * 20;
    expect(breakerBlockedForMs(quick, spec, believedMs)).toBe(0);
    const ramp = breakerAfterAdmission(quick, spec, believedMs);
    // The probe is under way as well as the call that was let through now.
    expect(ramp).toMatchObject({ phase: "recovering", ramp: { sinceMs: 400, successes: 0, underWay: 2 } });
    expect(isStraggler(ramp, 400)).toBe(false);
    expect(isStraggler(ramp, 399)).toBe(true);
    const wrong = afterFailure(ramp, believedMs + 1);
    expect(wrong).toMatchObject({ phase: "open", sinceMs: believedMs + 1, cooldownMs: 100, turnedAway: 0 });
    expect(afterFailure(breakerAfterSuccess(ramp, believedMs), believedMs + 1).phase).toBe("recovering");
  });

  test("B5: where no probe has failed yet or failures take long, a probe is not believed before its claim is over", () => {
    for (const failedInMs of [undefined, 5000]) {
      const slow: BreakerState = { ...halfOpen, cooldownMs: 4000, failedInMs };
      expect(breakerBlockedForMs(slow, spec, 4399)).toBe(1);
      expect(breakerAfterAdmission(slow, spec, 4400).phase).toBe("half-open");
    }
  });

  test("B5: a former probe's failure changes only what is known about the time that failures take", () => {
    expect(breakerAfterFormerProbe(halfOpen, 77)).toEqual({ ...halfOpen, failedInMs: 77 });
    for (const state of [CLOSED, open, recovering]) expect(breakerAfterFormerProbe(state, 77)).toBe(state);
  });

  test("B5: those who waited in a crowd come back on a ramp", () => {
    const state = breakerAfterCrowd(usually(50), 600);
    expect(state).toMatchObject({
      phase: "recovering",
      ramp: { sinceMs: 600, successes: 1, usual: { perSecond: 50 } },
    });
  });

  test("B5: on its way back it opens again after enough failures in a row, with the short cooldown", () => {
    const fresh: BreakerState = { phase: "recovering", ramp: rampAt(1000) };
    const once = afterFailure(fresh, 1100);
    expect(once).toEqual({ phase: "recovering", ramp: rampAfterFailure(rampAt(1000), 1100) });
    const twice = afterFailure(once, 1150);
    expect(twice.phase).toBe("recovering");
    expect(afterFailure(twice, 1200)).toEqual({ ...shut, phase: "open", sinceMs: 1200, untilMs: 1300 });
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
  failedInMs = 0;
  isRecovering = false;

  mayPass(nowMs: number): boolean {
    return this.shutUntilMs === undefined || nowMs >= this.shutUntilMs;
  }

  /** It lives for so long that it may be believed, which this explanation leaves out. */
  isProbeOld(nowMs: number): boolean {
    return this.probeAtMs !== undefined && this.failedInMs > 0 && nowMs >= this.probeAtMs + 5 * this.failedInMs;
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

/** A probe that hangs is followed by the next one after this at the latest. */
const LONGEST_CLAIM_MS = 4000;

describe("B5: the breaker under any sequence of events", () => {
  test("B5: without a ramp it agrees with its explanation, and lets one probe out at a time", () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 2, max: 5 }), (sequence, failures) => {
        // Whatever share was answered, failures in a row open it.
        const rules = { ...spec, failures, leastShare: 1, rampMs: 0 };
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
              if (!model.mayPass(nowMs) || model.isProbeOld(nowMs)) break;
              state = breakerAfterAdmission(state, rules, nowMs);
              if (model.isRecovering) model = new Explained();
              if (model.shutUntilMs !== undefined) {
                const claimMs = Math.max(model.cooldownMs, model.failedInMs);
                Object.assign(model, { probeAtMs: nowMs, shutUntilMs: nowMs + claimMs });
                // Exactly one: the next call has to wait.
                expect(breakerBlockedForMs(state, rules, nowMs)).toBe(claimMs);
              }
              break;
            }
            case "success":
              state = breakerAfterSuccess(state, nowMs);
              if (model.isRecovering) model.failuresInARow = 0;
              else model = Object.assign(new Explained(), { isRecovering: model.shutUntilMs !== undefined });
              break;
            case "release":
              state = breakerAfterRelease(state, nowMs);
              if (model.probeAtMs !== undefined) Object.assign(model, { probeAtMs: undefined, shutUntilMs: nowMs });
              break;
            case "failure":
              nowMs += 60;
              state = afterFailure(state, nowMs, rules);
              if (model.probeAtMs !== undefined) {
                model.failedInMs = nowMs - model.probeAtMs;
                const cooldownMs = Math.min(model.cooldownMs * 2, spec.maxCooldownMs);
                const shutUntilMs = Math.max(nowMs, model.probeAtMs + cooldownMs);
                Object.assign(model, { probeAtMs: undefined, cooldownMs, shutUntilMs });
              } else if (model.shutUntilMs === undefined) {
                model.failuresInARow++;
                if (model.failuresInARow >= failures) open();
              }
              break;
            default:
              step satisfies never;
          }
          const blockedMs = breakerBlockedForMs(state, rules, nowMs);
          if (!model.isProbeOld(nowMs)) expect(blockedMs).toBe(Math.max(0, (model.shutUntilMs ?? 0) - nowMs));
        }
      }),
      { numRuns: 500 },
    );
  });

  test("B5: no sequence of events holds a call back for longer than the longest cooldown or claim, or gives an invalid wait", () => {
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
            else if (step.do === "failure") state = afterFailure(state, nowMs, rules);
            else if (step.do === "release") state = breakerAfterRelease(state, nowMs);
            else if (breakerBlockedForMs(state, rules, nowMs) === 0) state = breakerAfterAdmission(state, rules, nowMs);
            else state = breakerAfterDenial(state, nowMs);
            const blockedMs = breakerBlockedForMs(state, rules, nowMs);
            const waitMs = breakerWaitMs(state, rules, nowMs);
            expect(blockedMs).toBeGreaterThanOrEqual(0);
            expect(blockedMs).toBeLessThanOrEqual(LONGEST_CLAIM_MS + 1000);
            if (blockedMs > 0) expect(waitMs).toBeGreaterThan(0);
            expect(waitMs).toBeLessThan(2000);
            // Left alone for as long, it lets a call through.
            expect(breakerBlockedForMs(state, rules, nowMs + LONGEST_CLAIM_MS)).toBe(0);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
