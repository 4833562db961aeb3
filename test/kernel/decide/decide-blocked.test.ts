import { describe, expect, test } from "vitest";
import { decideBlocked } from "../../../src/kernel/decide/decide-blocked.ts";
import { definePolicy } from "../../../src/kernel/decide/define-policy.ts";
import type { Decision } from "../../../src/kernel/model/decision.ts";
import { consolePolicy } from "../../../src/presets/index.ts";
import { CHAIN, type Given, healthOf, situation } from "./situations.ts";

function decided(given: Given, blockedMs: number, evidence = "health:breaker"): Decision {
  return decideBlocked(situation(given), blockedMs, { evidence }) ?? expect.fail("it was let through");
}

describe("E17: a target that may not be tried now", () => {
  test("E17: goes at once to a free credential, then to a free model", () => {
    const because = "the target is cooling down and another one is free";
    expect(decided({ chain: CHAIN }, 500)).toEqual({ type: "rotate", to: 1, schedule: 0, because });
    expect(decided({ chain: CHAIN, blockedMs: { 1: 1 } }, 500)).toEqual({
      type: "switch",
      to: 2,
      schedule: 0,
      because,
    });
  });

  test("B5: a retry without room in the budget goes at once to another provider, not to another target of the same one", () => {
    const because = "there is no room to retry here, and another target is free";
    const noRoom = (given: Given) => decided({ chain: CHAIN, ...given }, 500, "health:budget");
    expect(noRoom({})).toEqual({ type: "switch", to: 2, schedule: 0, because });
    expect(noRoom({ blockedMs: { 2: 1 } })).toEqual({ type: "switch", to: 3, schedule: 0, because });
  });

  test("B5: with nothing but targets of the same provider a retry without room waits where it is", () => {
    const chain = [
      { provider: "a", model: "big", credentials: ["k1", "k2"] },
      { provider: "a", model: "small" },
    ];
    expect(decided({ chain }, 500, "health:budget")).toEqual({
      type: "wait",
      delayMs: 500,
      to: 0,
      schedule: -1,
      because: "waiting for room to retry",
    });
  });

  test("B5: a retry without room waits for another provider if that is free sooner", () => {
    expect(decided({ chain: CHAIN, blockedMs: { 2: 300, 3: 200 } }, 500, "health:budget")).toEqual({
      type: "wait",
      delayMs: 200,
      to: 3,
      schedule: -1,
      because: "everything cools down; this one is free first",
    });
  });

  test("C9: waits for the breaker where there is nothing else", () => {
    expect(decided({}, 500)).toEqual({
      type: "wait",
      delayMs: 500,
      to: 0,
      schedule: -1,
      because: "everything cools down; this one is free first",
    });
  });

  test.each([
    [{ 1: 499, 2: 500, 3: 500 }, 499, 1],
    [{ 1: 500, 2: 500, 3: 500 }, 500, 0],
    [{ 1: 501, 2: 501, 3: 1 }, 1, 3],
  ])("E17: itself blocked for 500 ms and the others for %j, it waits %i ms for %i", (blockedMs, delayMs, to) => {
    expect(decided({ chain: CHAIN, blockedMs }, 500)).toMatchObject({ type: "wait", delayMs, to });
  });

  test.each([
    [500, "wait"],
    [499, "stop"],
  ])("E18: blocked for 500 ms under a cap of %i ms is a %s", (maxDelayMs, type) => {
    const decision = decided({ policy: { maxDelayMs } }, 500);
    expect(decision.type).toBe(type);
    if (type === "stop")
      expect(decision).toEqual({
        type: "stop",
        reason: "delay-cap",
        because: "everything cools down for 500 ms, over the cap of 499 ms",
      });
  });

  test("S7: a wait is of whole milliseconds, and never too short", () => {
    expect(decided({}, 299_351.646)).toMatchObject({ type: "wait", delayMs: 299_352 });
    const blockedMs = { 1: 900, 2: 99.2, 3: 900 };
    expect(decided({ chain: CHAIN, blockedMs }, 500)).toMatchObject({ type: "wait", delayMs: 100, to: 2 });
    expect(decided({ policy: { maxDelayMs: 100 } }, 100.5)).toMatchObject({
      because: "everything cools down for 101 ms, over the cap of 100 ms",
    });
  });

  describe("E17: one that was refused", () => {
    const refused = (given: Given): Given => {
      const health = healthOf(CHAIN, given.blockedMs ?? {});
      return {
        chain: CHAIN,
        ...given,
        health: { ...health, refusalOf: (target) => (target === CHAIN.targets[0] ? "auth" : undefined) },
      };
    };

    test("E17: is left for what is free", () => {
      expect(decided(refused({}), 500)).toMatchObject({ type: "rotate", to: 1 });
    });

    test("E17: is not waited for, but another one is, also for longer", () => {
      const blockedMs = { 1: 900, 2: 800, 3: 900 };
      expect(decided(refused({ blockedMs }), 500)).toEqual({
        type: "wait",
        delayMs: 800,
        to: 2,
        schedule: -1,
        because: "everything cools down; this one is free first",
      });
    });

    test.each<[string, Given]>([
      ["over the cap", { policy: { maxDelayMs: 799 } }],
      ["waited for often enough", { standing: { blockedWaits: 3 } }],
      ["out for this generation", { standing: { spent: [1, 2, 3] } }],
    ])("E17: is let through where everything else is %s", (_, given) => {
      const blockedMs = { 1: 900, 2: 800, 3: 900 };
      expect(
        decideBlocked(situation(refused({ ...given, blockedMs })), 500, { evidence: "health:refused" }),
      ).toBeUndefined();
    });
  });

  test("E18: the cap looks at what is free first", () => {
    const facts = { policy: { maxDelayMs: 100 }, chain: CHAIN };
    expect(decided({ ...facts, blockedMs: { 1: 900, 2: 100, 3: 900 } }, 500)).toMatchObject({ delayMs: 100, to: 2 });
    expect(decided({ ...facts, blockedMs: { 1: 900, 2: 101, 3: 900 } }, 500)).toEqual({
      type: "stop",
      reason: "delay-cap",
      because: "everything cools down for 101 ms, over the cap of 100 ms",
    });
  });

  test("C9: a breaker that never closes can't hold a generation for ever: it waits as often as it may retry", () => {
    expect(decided({ standing: { blockedWaits: 2 } }, 500).type).toBe("wait");
    expect(decided({ standing: { blockedWaits: 3 } }, 500)).toEqual({
      type: "stop",
      reason: "retries-exhausted",
      because: "waited long enough for a target to be free",
    });
    expect(decided({ standing: { blockedWaits: 3 }, chain: CHAIN }, 500).type).toBe("rotate");
  });

  test("C9: a wait for the breaker uses up no retry, for no call was made", () => {
    expect(decided({ standing: { used: [3] } }, 500)).toMatchObject({ type: "wait", schedule: -1 });
  });

  test("C9: the schedule named general limits the number of waits, wherever it is listed", () => {
    const policy = { schedules: { "1": { type: "fixed", delayMs: 1, atMost: 1 } } } as const;
    expect(decided({ policy, standing: { blockedWaits: 2 } }, 500).type).toBe("wait");
    expect(decided({ policy, standing: { blockedWaits: 3 } }, 500).type).toBe("stop");
  });

  const patient = { breaker: {} };

  test.each([
    [119_500, 500, "wait"],
    [119_501, 500, "stop"],
    [0, 120_001, "stop"],
  ])("C9: with a breaker it is time that counts, two minutes: %i ms waited, %i ms to wait: %s", (waited, ms, type) => {
    const decision = decided({ policy: patient, standing: { blockedMs: waited, blockedWaits: 99 } }, ms);
    expect(decision.type).toBe(type);
    if (type === "stop")
      expect(decision).toEqual({
        type: "stop",
        reason: "retries-exhausted",
        because: "waited long enough for a target to be free",
      });
  });

  describe("B5: held back by a rate limit", () => {
    const limitedFor = (leftMs: number, limitWaits: number): Given => ({
      policy: patient,
      standing: { blockedMs: 120_000, limitWaits },
      health: { ...healthOf(CHAIN, {}), limitOf: () => ({ leftMs, answeredMs: undefined }) },
    });

    test("B5: the ramp after it uses up no patience: everyone's turn comes", () => {
      expect(decided(limitedFor(0, 99), 500).type).toBe("wait");
    });

    test("B5: patience ends only after as many limits without an answer as there are retries", () => {
      expect(decided(limitedFor(400, 2), 500).type).toBe("wait");
      expect(decided(limitedFor(400, 3), 500)).toEqual({
        type: "stop",
        reason: "retries-exhausted",
        because: "waited long enough for a target to be free",
      });
      const early = limitedFor(400, 3);
      expect(decided({ ...early, standing: { ...early.standing, blockedMs: 1500 } }, 500).type).toBe("wait");
    });

    test("B5: one that is over is no reason to wait longer for room in the budget, or until others have ended", () => {
      expect(decided(limitedFor(0, 0), 500, "health:recovering").type).toBe("wait");
      expect(decided(limitedFor(0, 0), 500, "health:budget")).toMatchObject({ type: "stop", reason: "retry-budget" });
      expect(decided(limitedFor(0, 0), 500, "health:crowd")).toMatchObject({
        type: "stop",
        reason: "retries-exhausted",
      });
    });

    test("E18: the cap counts as ever", () => {
      const capped = { ...limitedFor(400, 0), policy: { ...patient, maxDelayMs: 499 } };
      expect(decided(capped, 500)).toMatchObject({ type: "stop", reason: "delay-cap" });
    });
  });

  test("C9: a policy without retries does not wait either", () => {
    const policy = { ...patient, schedules: { general: { type: "fixed", delayMs: 1, atMost: 0 } } } as const;
    expect(decided({ policy }, 500).type).toBe("stop");
  });

  test("C9: a policy that retries for ever waits for ever: the console with its breaker on continues", () => {
    const policy = definePolicy({ breaker: {} }, consolePolicy());
    expect(decided({ policy, standing: { blockedMs: 9_999_999, blockedWaits: 9999 } }, 500).type).toBe("wait");
  });
});
