import { describe, expect, test } from "vitest";
import type { Health } from "../../../src/kernel/health/health.ts";
import { AFTER_LIMIT } from "../../../src/kernel/health/ramp.ts";
import type { FailureKind } from "../../../src/kernel/model/failure.ts";
import {
  breaker,
  budget,
  failureOf,
  guarded,
  letThrough,
  open,
  plain,
  policyOf,
  retries,
  steadily,
  target,
  under,
} from "./fixtures.ts";

const budgeted = policyOf({ budget });

/** What every Health must do, whatever it keeps its facts in. */
export function healthContract(name: string, newHealth: () => Health): void {
  describe(`${name}: cooldowns`, () => {
    test("E17: a new one holds no call back and is quiet", () => {
      const health = newHealth();
      expect(health.isQuiet).toBe(true);
      expect(health.blockedForMs(target(), breaker, 0)).toBe(0);
      expect(health.admit(target(), budgeted, 0, false)).toBe(0);
      expect(health.admit(target(), guarded, 0, false)).toBe(0);
      expect(health.isQuiet).toBe(true);
    });

    test("E17: a credential cools down for the model that it was limited for, and for nothing else", () => {
      const health = newHealth();
      health.coolDown(target("a", "m", "k"), "credential", 1000);
      expect(health.isQuiet).toBe(false);
      expect(health.blockedForMs(target("a", "m", "k"), null, 400)).toBe(600);
      expect(health.blockedForMs(target("a", "other", "k"), null, 400)).toBe(0);
      expect(health.blockedForMs(target("a", "m", "l"), null, 400)).toBe(0);
      expect(health.blockedForMs(target("b", "m", "k"), null, 400)).toBe(0);
    });

    test("E17: a model cools down for every credential, and for its provider only", () => {
      const health = newHealth();
      health.coolDown(target("a", "m", "k"), "model", 1000);
      expect(health.blockedForMs(target("a", "m", "l"), null, 400)).toBe(600);
      expect(health.blockedForMs(target("a", "other", "k"), null, 400)).toBe(0);
      expect(health.blockedForMs(target("b", "m", "k"), null, 400)).toBe(0);
    });

    test("E17: a model and a credential of the same name do not share a cooldown", () => {
      const health = newHealth();
      health.coolDown(target("a", "same", "k"), "model", 1000);
      expect(health.blockedForMs(target("a", "other", "same"), null, 0)).toBe(0);
    });

    test("E17: of credential and model the longer cooldown counts", () => {
      const health = newHealth();
      health.coolDown(target(), "credential", 1000);
      health.coolDown(target(), "model", 700);
      expect(health.blockedForMs(target(), null, 0)).toBe(1000);
      health.coolDown(target(), "model", 1200);
      expect(health.blockedForMs(target(), null, 0)).toBe(1200);
    });

    test("E17: a second report keeps the later deadline", () => {
      const health = newHealth();
      health.coolDown(target(), "credential", 1000);
      health.coolDown(target(), "credential", 800);
      expect(health.blockedForMs(target(), null, 0)).toBe(1000);
      health.coolDown(target(), "credential", 1500);
      expect(health.blockedForMs(target(), null, 0)).toBe(1500);
    });

    test("E17: what was refused cools down like any other, and is known to be refused until then", () => {
      const health = newHealth();
      health.refuse?.(target("a", "m", "k"), "credential", 1000, "auth");
      expect(health.blockedForMs(target("a", "m", "k"), null, 400)).toBe(600);
      expect(health.refusalOf?.(target("a", "m", "k"), 999)).toBe("auth");
      expect(health.refusalOf?.(target("a", "m", "k"), 1000)).toBeUndefined();
      expect(health.refusalOf?.(target("a", "m", "l"), 400)).toBeUndefined();
      health.refuse?.(target("b", "m", "k"), "model", 1000, "auth");
      expect(health.refusalOf?.(target("b", "m", "l"), 400)).toBe("auth");
      // Calls that ask meanwhile change nothing.
      health.admit(target("a", "m", "k"), plain, 400, false);
      expect(health.refusalOf?.(target("a", "m", "k"), 400)).toBe("auth");
    });

    test("E17: a quota without a known end is known as one", () => {
      const health = newHealth();
      health.refuse?.(target(), "credential", 1000, "usage_limit");
      expect(health.refusalOf?.(target(), 400)).toBe("usage_limit");
      expect(health.limitOf?.(target(), breaker, 400)).toBeUndefined();
    });

    test("B5: a limit is known until its ramp is over, with the last answer since it began", () => {
      const health = newHealth();
      expect(health.limitOf?.(target(), breaker, 0)).toBeUndefined();
      health.coolDown(target(), "credential", 1000);
      expect(health.limitOf?.(target(), breaker, 400)).toEqual({ leftMs: 600, answeredMs: undefined });
      expect(health.limitOf?.(target("a", "m", "l"), breaker, 400)).toBeUndefined();
      // An answer to a call from before the limit counts as well: the target works.
      health.succeeded(under(guarded), 500);
      health.coolDown(target(), "credential", 2000);
      expect(health.limitOf?.(target(), breaker, 600)).toEqual({ leftMs: 1400, answeredMs: 500 });
      expect(letThrough(health, 9, 2000)).toBe(5);
      expect(health.limitOf?.(target(), breaker, 2000)).toEqual({ leftMs: 0, answeredMs: 500 });
    });

    test("B5: while the breaker holds calls back, no limit is named", () => {
      const health = newHealth();
      health.coolDown(target(), "credential", 5000);
      open(health, 0);
      expect(health.limitOf?.(target(), breaker, 50)).toBeUndefined();
    });

    test("E18: the spread of the waits never turns an allowed wait into one over the cap", () => {
      const capped = policyOf({ breaker, maxDelayMs: 1000 });
      const health = newHealth();
      health.coolDown(target(), "credential", 1000);
      for (let n = 0; n < 50; n++) {
        const waitMs = health.admit(target(), capped, 200, false);
        expect(waitMs).toBeGreaterThanOrEqual(800);
        expect(waitMs).toBeLessThanOrEqual(1000);
      }
    });

    test("E17: whichever of a refusal and a limit lasts longer decides whether to wait", () => {
      const health = newHealth();
      health.coolDown(target(), "credential", 1000);
      health.refuse?.(target(), "credential", 800, "auth");
      expect(health.refusalOf?.(target(), 0)).toBeUndefined();
      expect(health.blockedForMs(target(), null, 0)).toBe(1000);
      health.refuse?.(target(), "credential", 1200, "auth");
      expect(health.refusalOf?.(target(), 0)).toBe("auth");
      health.coolDown(target(), "credential", 1500);
      expect(health.refusalOf?.(target(), 0)).toBeUndefined();
    });

    test("E17: a cooldown is over at its deadline, not before; then all is quiet again", () => {
      const health = newHealth();
      health.coolDown(target(), "credential", 1000);
      health.coolDown(target(), "model", 900);
      expect(health.blockedForMs(target(), null, 999)).toBe(1);
      expect(health.isQuiet).toBe(false);
      expect(health.blockedForMs(target(), null, 1000)).toBe(0);
      expect(health.isQuiet).toBe(false);
      expect(health.admit(target(), plain, 1000, false)).toBe(0);
      expect(health.isQuiet).toBe(true);
    });

    test("E17: without a breaker every call waits exactly until the cooldown ends", () => {
      const health = newHealth();
      health.coolDown(target(), "credential", 1000);
      expect([0, 400, 400].map((nowMs) => health.admit(target(), plain, nowMs, false))).toEqual([1000, 600, 600]);
      for (let n = 0; n < 50; n++) expect(health.admit(target(), plain, 1000, false)).toBe(0);
    });

    test("B5: with a breaker, each call gets a different wait, and calls are readmitted as answers arrive", () => {
      const health = newHealth();
      health.coolDown(target(), "credential", 5000);
      const waits = Array.from({ length: 50 }, () => health.admit(target(), guarded, 1000, false));
      expect(new Set(waits).size).toBe(50);
      expect(Math.min(...waits)).toBe(4000);
      expect(Math.max(...waits)).toBeLessThan(5000);
      expect(letThrough(health, 1000, 5000)).toBe(5);
      expect(health.blockedForMs(target(), breaker, 5000)).toBe(500);
      expect(health.blockedForMs(target(), null, 5000)).toBe(0);
      // Another credential is not slowed down by that.
      for (let n = 0; n < 50; n++) expect(health.admit(target("a", "m", "l"), guarded, 5000, false)).toBe(0);
      for (let n = 0; n < 5; n++) health.succeeded(under(guarded, 5000), 6000);
      expect(letThrough(health, 1000, 6500)).toBe(5 * AFTER_LIMIT.perAnswer);
      expect(letThrough(health, 50, 20_000)).toBe(50);
      expect(health.isQuiet).toBe(true);
    });

    test("B5: on the way back from a cooldown limits and sickness take back what answers have earned, an abort does not", () => {
      /** How many calls go within four seconds, if after sixteen answers this happens and then nothing more. */
      const gone = (then: (health: Health) => void): number => {
        const health = newHealth();
        health.coolDown(target(), "model", 5000);
        letThrough(health, 1000, 5000);
        for (let n = 0; n < 16; n++) health.succeeded(under(guarded, 5000), 5050);
        then(health);
        let count = 0;
        for (let nowMs = 5100; nowMs < 9100; nowMs += 10) count += letThrough(health, 10, nowMs);
        return count;
      };
      const earned = gone(() => undefined);
      for (const kind of ["rate_limit", "server"] as const) {
        const afterFailure = gone((health) => health.failed(under(guarded, 5000), failureOf(kind), 5100));
        // Half of what sixteen answers have earned, but for what a few seconds' trickle makes up for.
        expect(afterFailure).toBeLessThan(earned - 4 * AFTER_LIMIT.perAnswer);
      }
      const ways: [(health: Health) => void, number][] = [
        [(health) => health.failed(under(guarded, 4999), failureOf("rate_limit"), 5100), earned],
        [(health) => health.released(under(guarded, 5000), 5100), earned + 1],
        [(health) => health.released(under(plain, 5000), 5100), earned],
        [(health) => health.failed(under(guarded, 5000), failureOf("bad_request"), 5100), earned + 1],
      ];
      for (const [then, most] of ways) expect(gone(then)).toBe(most);
    });

    test("B5: on the way back from a cooldown a call that fails for its own reasons gives its place to another", () => {
      /** How many of too many calls go within three seconds, if every other one ends like this. */
      const gone = (kind: FailureKind): number => {
        const health = newHealth();
        let nowMs = steadily(health, 10, 60, 0);
        health.coolDown(target(), "model", nowMs);
        let count = 0;
        for (let n = 0; n < 1500; n++) {
          if (n % 5 === 0) nowMs += 10;
          if (health.admit(target(), guarded, nowMs, false) > 0) continue;
          health.started?.(target());
          if (count++ % 2 === 0) health.failed(under(guarded, nowMs), failureOf(kind), nowMs);
          else health.succeeded(under(guarded, nowMs), nowMs);
        }
        return count;
      };
      const released = gone("unknown");
      expect(released).toBeGreaterThan(20);
      for (const kind of ["bad_request", "auth", "usage_limit", "invalid_content", "context_overflow"] as const)
        expect([kind, gone(kind)]).toEqual([kind, released]);
    });

    test("E17: a cooldown that no call has asked about for long does not make every call ask", () => {
      const health = newHealth();
      health.coolDown(target("a", "m", "never-again"), "credential", 1000);
      health.admit(target(), plain, 60_999, false);
      expect(health.isQuiet).toBe(false);
      health.admit(target(), plain, 121_000, false);
      expect(health.isQuiet).toBe(true);
    });

    test("E17: a success does not end a cooldown", () => {
      const health = newHealth();
      health.coolDown(target(), "model", 1000);
      health.succeeded(under(guarded), 0);
      expect(health.blockedForMs(target(), null, 0)).toBe(1000);
      expect(health.isQuiet).toBe(false);
    });
  });

  describe(`${name}: retry budget`, () => {
    test("B5: retries spend tokens until none is left, for the whole provider", () => {
      const health = newHealth();
      for (let n = 0; n < 3; n++) {
        expect(retries(health, budgeted, 1, 0, target("a", `model ${n}`, "l"))).toBe(1);
        expect(health.isQuiet).toBe(false);
      }
      expect(retries(health, budgeted, 9, 0)).toBe(0);
      expect(retries(health, budgeted, 9, 0, target("a", "other", "l"))).toBe(0);
      expect(retries(health, budgeted, 9, 0, target("b"))).toBe(3);
    });

    test("B5: the budget never holds back a first attempt, nor one that need not spend a token", () => {
      const health = newHealth();
      retries(health, budgeted, 9, 0);
      for (let n = 0; n < 50; n++) expect(health.admit(target(), budgeted, 0, false)).toBe(0);
      expect(retries(health, budgeted, 1, 0)).toBe(0);
    });

    test("B5: a retry without a token asks again soon, each at a different moment, and looking shows no block", () => {
      const health = newHealth();
      retries(health, budgeted, 3, 0);
      const waits = Array.from({ length: 50 }, () => health.admit(target(), budgeted, 0, true));
      expect(new Set(waits).size).toBe(50);
      expect(Math.min(...waits)).toBeGreaterThan(0);
      expect(Math.max(...waits)).toBeLessThan(2000);
      expect(health.blockedForMs(target(), breaker, 0)).toBe(0);
      expect(health.blockedForMs(target(), null, 0)).toBe(0);
    });

    test("B5: successes refill, never beyond the capacity, and a full budget is forgotten", () => {
      const health = newHealth();
      retries(health, budgeted, 3, 0);
      health.succeeded(under(budgeted), 0);
      expect(retries(health, budgeted, 9, 0)).toBe(0);
      health.succeeded(under(budgeted), 0);
      expect(retries(health, budgeted, 9, 0)).toBe(1);
      for (let n = 0; n < 5; n++) health.succeeded(under(budgeted), 0);
      expect(health.isQuiet).toBe(false);
      health.succeeded(under(budgeted), 0);
      expect(health.isQuiet).toBe(true);
      for (let n = 0; n < 9; n++) health.succeeded(under(budgeted), 0);
      expect(retries(health, budgeted, 9, 0)).toBe(3);
    });

    test("B5: seconds refill as well, never beyond the capacity", () => {
      const timed = policyOf({ budget: { ...budget, refillPerSecond: 0.5 } });
      const health = newHealth();
      expect(retries(health, timed, 9, 0)).toBe(3);
      expect(retries(health, timed, 9, 1999)).toBe(0);
      expect(retries(health, timed, 9, 2000)).toBe(1);
      expect(retries(health, timed, 9, 3_602_000)).toBe(3);
    });

    test("B5: the budget never goes below nothing", () => {
      const health = newHealth();
      retries(health, budgeted, 50, 0);
      health.succeeded(under(budgeted), 0);
      health.succeeded(under(budgeted), 0);
      expect(retries(health, budgeted, 9, 0)).toBe(1);
    });

    test("B5: a success under a policy without a budget refills nothing", () => {
      const health = newHealth();
      retries(health, budgeted, 3, 0);
      for (let n = 0; n < 9; n++) health.succeeded(under(plain), 0);
      expect(retries(health, budgeted, 9, 0)).toBe(0);
      expect(health.isQuiet).toBe(false);
    });

    test("B5: breaker and budget of a provider do not wipe each other out", () => {
      const both = policyOf({ breaker, budget });
      const health = newHealth();
      retries(health, budgeted, 1, 0);
      health.failed(under(both), failureOf("rate_limit"), 0);
      expect(health.isQuiet).toBe(false);
      open(health, 0);
      for (let n = 0; n < 9; n++) health.succeeded(under(both), 0);
      expect(health.isQuiet).toBe(false);
      expect(health.blockedForMs(target(), breaker, 0)).toBe(100);
    });

    test("B5: while the breaker is not closed the budget neither counts nor is spent", () => {
      const both = policyOf({ breaker, budget });
      const health = newHealth();
      expect(retries(health, both, 9, 0)).toBe(3);
      open(health, 0);
      expect(retries(health, both, 9, 100)).toBe(1);
      // A policy that has no breaker is not in its care.
      expect(retries(health, budgeted, 9, 100)).toBe(0);

      const other = newHealth();
      open(other, 0);
      retries(other, both, 9, 100);
      expect(retries(other, budgeted, 9, 100)).toBe(3);
    });

    test("B5: a retry that a cooldown holds back spends no token", () => {
      const health = newHealth();
      health.coolDown(target(), "model", 1000);
      expect(retries(health, budgeted, 9, 0)).toBe(0);
      expect(retries(health, budgeted, 9, 0, target("a", "other"))).toBe(3);
    });

    test("B5: a policy without a budget has always a retry left, and spends none", () => {
      const health = newHealth();
      expect(retries(health, plain, 9, 0)).toBe(9);
      expect(health.isQuiet).toBe(true);
      retries(health, budgeted, 9, 0);
      expect(retries(health, plain, 9, 0)).toBe(9);
    });
  });

  describe(`${name}: which failures are rare`, () => {
    const limited = failureOf("rate_limit");

    test("E17: without enough calls to know, no failure is rare", () => {
      const health = newHealth();
      expect(health.isRare?.(target(), limited)).toBe(false);
      health.failed(under(guarded), limited, 0);
      expect(health.isRare?.(target(), limited)).toBe(false);
      health.failed(under(guarded), failureOf("server"), 0);
      expect(health.isRare?.(target(), failureOf("server"))).toBe(false);
    });

    test("E17: one limited call in sixty is rare, one that most calls meet is not, and another provider is not concerned", () => {
      const health = newHealth();
      let nowMs = steadily(health, 60, 20, 0);
      health.failed(under(guarded), limited, nowMs);
      expect(health.isRare?.(target(), limited)).toBe(true);
      expect(health.isRare?.(target("b"), limited)).toBe(false);
      // Nothing is known against the provider.
      expect(health.isRare?.(target(), failureOf("server"))).toBe(false);
      for (let n = 0; n < 60; n++) {
        nowMs += 16;
        health.failed(under(guarded), limited, nowMs);
      }
      expect(health.isRare?.(target(), limited)).toBe(false);
      nowMs = steadily(health, 60, 5, nowMs);
      health.failed(under(guarded), limited, nowMs);
      expect(health.isRare?.(target(), limited)).toBe(true);
    });

    test("E17: a sick provider's failures are rare while most calls are answered, and never once its breaker is open", () => {
      const health = newHealth();
      const sick = failureOf("server");
      let nowMs = steadily(health, 60, 20, 0);
      health.failed(under(guarded), sick, nowMs);
      expect(health.isRare?.(target(), sick)).toBe(true);
      // What concerns one key or one request is no question of shares.
      for (const kind of ["auth", "bad_request", "usage_limit"] as const)
        expect(health.isRare?.(target(), failureOf(kind))).toBe(false);
      while (health.blockedForMs(target(), breaker, nowMs) === 0) {
        nowMs += 16;
        health.failed(under(guarded), sick, nowMs);
      }
      expect(health.isRare?.(target(), sick)).toBe(false);
    });
  });
}
