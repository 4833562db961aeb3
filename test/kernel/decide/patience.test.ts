import { describe, expect, test } from "vitest";
import { decide } from "../../../src/kernel/decide/decide.ts";
import { decideBlocked } from "../../../src/kernel/decide/decide-blocked.ts";
import type { PolicyInput } from "../../../src/kernel/decide/define-policy.ts";
import type { Decision } from "../../../src/kernel/model/decision.ts";
import { CHAIN, failure, type Given, healthOf, situation } from "./situations.ts";

const LAST_TRY = "the last try, as late as the policy's patience allows";
const policy = {
  schedules: { general: { type: "fixed", delayMs: 10_000 } },
  patienceMs: 60_000,
} as const satisfies PolicyInput;

const decided = (patienceUsedMs: number, given: Given = {}): Decision =>
  decide(situation({ policy, ...given, standing: { patienceUsedMs, ...given.standing } }));

describe("E11: a wait within the patience", () => {
  test("E11: is made in full while it fits", () => {
    const whole = { type: "wait", delayMs: 10_000, to: 0, schedule: 0, because: "server usually passes" };
    expect(decided(0)).toEqual(whole);
    expect(decided(50_000)).toEqual(whole);
  });

  test.each([
    [50_001, 9999],
    [58_000, 2000],
    [59_000, 1000],
  ])(
    "E11: after %i ms of 60000 is shortened to %i ms, so that the last try comes when the patience ends",
    (used, ms) => {
      expect(decided(used)).toEqual({ type: "wait", delayMs: ms, to: 0, schedule: 0, because: LAST_TRY });
    },
  );

  test("E11: is not made for less than a second: such a try would come too soon to help", () => {
    expect(decided(59_001)).toEqual({
      type: "stop",
      reason: "patience",
      because: "waited 59 s in all; another 10 s is over the 1 min that the policy allows",
    });
  });

  test("E11: is shortened to half of a wait that is itself under two seconds", () => {
    const short = { ...policy, schedules: { general: { type: "fixed", delayMs: 100 } } } as const;
    expect(decided(59_950, { policy: short })).toMatchObject({ type: "wait", delayMs: 50 });
    expect(decided(59_951, { policy: short })).toMatchObject({ type: "stop", reason: "patience" });
  });

  test("E11: is not made once the patience is used up, not even without a delay", () => {
    const over = { type: "stop", reason: "patience", because: "waited 1 min in all, as long as the policy allows" };
    expect(decided(60_000)).toEqual(over);
    const undelayed: PolicyInput = { ...policy, rules: { server: { action: "retry", delay: "none" } } };
    expect(decided(59_999, { policy: undelayed })).toMatchObject({ type: "wait", delayMs: 0 });
    expect(decided(60_000, { policy: undelayed })).toEqual(over);
  });

  test("E11: is never made by a policy that has none", () => {
    expect(decided(0, { policy: { ...policy, patienceMs: 0 } })).toEqual({
      type: "stop",
      reason: "patience",
      because: "the policy allows no wait",
    });
  });

  test("E18: is never shorter than the endpoint asks: the generation ends at once", () => {
    const hinted = failure("rate_limit", { status: 429, hintMs: 5000 });
    expect(decided(55_000, { failure: hinted })).toMatchObject({ type: "wait", delayMs: 5000, because: LAST_TRY });
    expect(decided(55_001, { failure: hinted })).toMatchObject({ type: "stop", reason: "patience" });
    const ignored = { ...policy, honourHints: false };
    expect(decided(55_001, { failure: hinted, policy: ignored })).toMatchObject({ type: "wait", delayMs: 4999 });
  });

  test("E18: is never shorter than the target's cooldown", () => {
    expect(decided(55_000, { blockedMs: { 0: 5000 } })).toMatchObject({ type: "wait", delayMs: 5000 });
    expect(decided(55_001, { blockedMs: { 0: 5000 } })).toMatchObject({ type: "stop", reason: "patience" });
  });

  test("E18: a cap on a single wait counts before the patience", () => {
    expect(decided(59_999, { policy: { ...policy, maxDelayMs: 9999 } })).toMatchObject({ reason: "delay-cap" });
  });

  test("E17: gives way to another target that is free, or free in time", () => {
    expect(decided(60_000, { chain: CHAIN })).toMatchObject({ type: "switch", to: 2 });
    const blockedMs = { 1: 900, 2: 800, 3: 900 };
    const later = { chain: CHAIN, blockedMs };
    expect(decided(59_200, later)).toMatchObject({ type: "wait", delayMs: 800, to: 2 });
    expect(decided(59_201, later)).toMatchObject({ type: "stop", reason: "patience" });
  });

  test("E17: where only another target can help, it is waited for only within the patience", () => {
    const refused = failure("auth", { status: 401, scope: "credential" });
    const given = { failure: refused, chain: CHAIN, blockedMs: { 1: 900, 2: 800, 3: 900 } };
    expect(decided(59_200, given)).toMatchObject({ type: "wait", delayMs: 800, to: 2 });
    expect(decided(59_201, given)).toMatchObject({ type: "stop", reason: "patience" });
  });
});

describe("E17: patience with the current model", () => {
  const withFallback = { ...policy, fallback: { when: "long-wait", longWaitMs: 20_000, patienceMs: 15_000 } } as const;
  const waited = (waitedHereMs: number, given: Given = {}): Decision =>
    decided(0, { policy: withFallback, chain: CHAIN, ...given, standing: { waitedHereMs } });

  test("E17: waits while the sum for this model is within it, then goes to the next that is free", () => {
    expect(waited(5000)).toMatchObject({ type: "wait", delayMs: 10_000 });
    expect(waited(5001)).toEqual({
      type: "switch",
      to: 2,
      schedule: 0,
      because: "the wait of 10 s is long and another target is free",
    });
  });

  test("E17: continues to wait where nothing else is free", () => {
    expect(waited(50_000, { blockedMs: { 2: 99_000, 3: 99_000 } })).toMatchObject({
      type: "wait",
      delayMs: 10_000,
      to: 0,
    });
    expect(waited(50_000, { chain: [{ provider: "a", model: "opus" }] })).toMatchObject({ type: "wait", to: 0 });
  });

  test("E17: has no effect for other kinds of fallback", () => {
    const fallback = { ...withFallback.fallback, when: "after-retries" } as const;
    expect(waited(50_000, { policy: { ...policy, fallback } })).toMatchObject({ type: "wait", to: 0 });
  });
});

describe("E11: patience while health holds a generation back", () => {
  const held = (patienceUsedMs: number, forMs: number, evidence = "health:breaker", given: Given = {}) =>
    decideBlocked(situation({ policy: { ...policy, breaker: {} }, ...given, standing: { patienceUsedMs } }), forMs, {
      evidence,
    });

  test("E11: such a wait is never shortened: health would not let the call through", () => {
    expect(held(59_000, 1000)).toMatchObject({ type: "wait", delayMs: 1000 });
    expect(held(59_000, 1001)).toEqual({
      type: "stop",
      reason: "patience",
      because: "waited 59 s in all; another 1 s is over the 1 min that the policy allows",
    });
  });

  test("B5: a retry that waits for room in the budget shows that, and ends with the budget as the reason", () => {
    expect(held(0, 1000, "health:budget")).toEqual({
      type: "wait",
      delayMs: 1000,
      to: 0,
      schedule: -1,
      because: "waiting for room to retry",
    });
    expect(held(60_000, 1000, "health:budget")).toEqual({
      type: "stop",
      reason: "retry-budget",
      because: "waited long enough for room in the retry budget, which other generations share",
    });
  });

  test("B5: a retry for which the wait for room is over the cap ends with the budget as the reason, too", () => {
    const capped: Given = { policy: { ...policy, breaker: {}, maxDelayMs: 999 } };
    expect(held(0, 999, "health:budget", capped)).toMatchObject({ type: "wait", delayMs: 999 });
    expect(held(0, 1000, "health:budget", capped)).toEqual({
      type: "stop",
      reason: "retry-budget",
      because: "there is no room in the retry budget for another 1000 ms, over the cap of 999 ms",
    });
    expect(held(0, 1000, "health:breaker", capped)).toMatchObject({ reason: "delay-cap" });
  });

  test("B5: without patience, a retry waits for room for two minutes if its retries are counted, however often it asks", () => {
    const counted: PolicyInput = { schedules: { general: { type: "fixed", delayMs: 1, atMost: 2 } }, breaker: null };
    const asked = (blockedMs: number): Decision | undefined =>
      decideBlocked(situation({ policy: counted, standing: { blockedWaits: 99, blockedMs } }), 1000, {
        evidence: "health:budget",
      });
    expect(asked(119_000)).toMatchObject({ type: "wait", delayMs: 1000 });
    expect(asked(119_001)).toMatchObject({ type: "stop", reason: "retry-budget" });
  });

  test("E11: a number of retries does not limit the waits of a policy with patience, unless it is 0", () => {
    const counted = (atMost: number, breaker: object | null): Given => ({
      policy: { ...policy, breaker, schedules: { general: { type: "fixed", delayMs: 1, atMost } } },
      health: healthOf(CHAIN, {}),
    });
    for (const breaker of [null, {}]) {
      const given = { ...counted(2, breaker), standing: { blockedWaits: 99, blockedMs: 1e9 } };
      expect(decideBlocked(situation(given), 500, { evidence: "health:breaker" })).toMatchObject({ type: "wait" });
      expect(held(0, 500, "health:breaker", counted(0, breaker))).toEqual({
        type: "stop",
        reason: "retries-exhausted",
        because: "the policy allows no retry, so it does not wait for a target to be free",
      });
    }
  });
});
