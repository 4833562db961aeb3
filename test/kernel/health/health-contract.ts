import { describe, expect, test } from "vitest";
import type { Health } from "../../../src/kernel/health/health.ts";
import { FAILURE_KINDS, type FailureKind } from "../../../src/kernel/model/failure.ts";
import { failureOf, policyOf, target } from "./fixtures.ts";

const breaker = { failures: 2, cooldownMs: 100, maxCooldownMs: 350 };
const guarded = policyOf({ breaker });
const plain = policyOf({});
const budgeted = policyOf({ budget: { capacity: 3, refillPerSuccess: 0.5 } });
const budget = { capacity: 3, refillPerSuccess: 0.5 };
const SICK: readonly FailureKind[] = [
  "overloaded",
  "server",
  "network",
  "timeout",
  "stalled",
  "silent",
  "stream_broken",
];

/** What every Health must do, whatever it keeps its facts in. */
export function healthContract(name: string, newHealth: () => Health): void {
  const open = (health: Health, nowMs: number, provider = "a"): void => {
    for (let n = 0; n < breaker.failures; n++) health.failed(target(provider), failureOf("server"), guarded, nowMs);
  };

  describe(`${name}: cooldowns`, () => {
    test("E17: a fresh one holds nobody back and is quiet", () => {
      const health = newHealth();
      expect(health.isQuiet).toBe(true);
      expect(health.blockedForMs(target(), breaker, 0)).toBe(0);
      expect(health.canRetry(target(), budget)).toBe(true);
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

    test("E17: a cooldown is over at its deadline, not before; then all is quiet again", () => {
      const health = newHealth();
      health.coolDown(target(), "credential", 1000);
      health.coolDown(target(), "model", 900);
      expect(health.blockedForMs(target(), null, 999)).toBe(1);
      expect(health.isQuiet).toBe(false);
      expect(health.blockedForMs(target(), null, 1000)).toBe(0);
      expect(health.isQuiet).toBe(true);
    });

    test("E17: a success does not end a cooldown", () => {
      const health = newHealth();
      health.coolDown(target(), "model", 1000);
      health.succeeded(target(), guarded);
      expect(health.blockedForMs(target(), null, 0)).toBe(1000);
      expect(health.isQuiet).toBe(false);
    });
  });

  describe(`${name}: breaker`, () => {
    test("C9: opens after so many failures in a row, for every model of the provider", () => {
      const health = newHealth();
      health.failed(target(), failureOf("server"), guarded, 0);
      expect(health.blockedForMs(target(), breaker, 0)).toBe(0);
      expect(health.isQuiet).toBe(false);
      health.failed(target("a", "other", "l"), failureOf("network"), guarded, 10);
      expect(health.blockedForMs(target(), breaker, 10)).toBe(100);
      expect(health.blockedForMs(target("a", "third", "x"), breaker, 60)).toBe(50);
      expect(health.blockedForMs(target("b"), breaker, 10)).toBe(0);
    });

    test("C9: a policy without a breaker neither feels nor feeds it", () => {
      const health = newHealth();
      for (let n = 0; n < 9; n++) health.failed(target(), failureOf("server"), plain, 0);
      expect(health.isQuiet).toBe(true);
      open(health, 0);
      expect(health.blockedForMs(target(), null, 0)).toBe(0);
      health.admitted(target(), plain, 500);
      expect(health.blockedForMs(target(), breaker, 500)).toBe(0);
    });

    test("C9: a success in between starts the count anew", () => {
      const health = newHealth();
      health.failed(target(), failureOf("server"), guarded, 0);
      health.succeeded(target(), guarded);
      expect(health.isQuiet).toBe(true);
      health.failed(target(), failureOf("server"), guarded, 0);
      expect(health.blockedForMs(target(), breaker, 0)).toBe(0);
    });

    test.each(FAILURE_KINDS)("C9: whether %s speaks of a sick provider", (kind) => {
      const health = newHealth();
      for (let n = 0; n < breaker.failures; n++) health.failed(target(), failureOf(kind), guarded, 0);
      expect(health.blockedForMs(target(), breaker, 0)).toBe(SICK.includes(kind) ? 100 : 0);
      expect(health.isQuiet).toBe(!SICK.includes(kind));
    });

    test("C9: a refusal shows that the provider is up; the unknown shows nothing", () => {
      const health = newHealth();
      health.failed(target(), failureOf("server"), guarded, 0);
      health.failed(target(), failureOf("unknown"), guarded, 0);
      health.failed(target(), failureOf("server"), guarded, 0);
      expect(health.blockedForMs(target(), breaker, 0)).toBe(100);

      const other = newHealth();
      other.failed(target(), failureOf("server"), guarded, 0);
      other.failed(target(), failureOf("rate_limit"), guarded, 0);
      expect(other.isQuiet).toBe(true);
      other.failed(target(), failureOf("server"), guarded, 0);
      expect(other.blockedForMs(target(), breaker, 0)).toBe(0);
    });

    test("B5: after the cooldown exactly one probe is let through", () => {
      const health = newHealth();
      open(health, 0);
      expect(health.blockedForMs(target(), breaker, 99)).toBe(1);
      expect(health.blockedForMs(target(), breaker, 100)).toBe(0);
      health.admitted(target(), guarded, 100);
      expect(health.blockedForMs(target(), breaker, 100)).toBe(100);
      expect(health.blockedForMs(target("a", "other", "l"), breaker, 130)).toBe(70);
    });

    test("B5: the probe's success closes it, and all is quiet again", () => {
      const health = newHealth();
      open(health, 0);
      health.admitted(target(), guarded, 100);
      health.succeeded(target(), guarded);
      expect(health.blockedForMs(target(), breaker, 100)).toBe(0);
      expect(health.isQuiet).toBe(true);
    });

    test("B5: each failed probe doubles the cooldown, up to the longest", () => {
      const health = newHealth();
      open(health, 0);
      let nowMs = 100;
      for (const cooldownMs of [200, 350, 350]) {
        health.admitted(target(), guarded, nowMs);
        health.failed(target(), failureOf("timeout"), guarded, nowMs);
        expect(health.blockedForMs(target(), breaker, nowMs)).toBe(cooldownMs);
        nowMs += cooldownMs;
        expect(health.blockedForMs(target(), breaker, nowMs)).toBe(0);
      }
    });

    test("B5: the cooldown is short again after the provider was well", () => {
      const health = newHealth();
      open(health, 0);
      health.admitted(target(), guarded, 100);
      health.failed(target(), failureOf("server"), guarded, 100);
      health.admitted(target(), guarded, 300);
      health.succeeded(target(), guarded);
      open(health, 1000);
      expect(health.blockedForMs(target(), breaker, 1000)).toBe(100);
    });

    test("B5: while it is open neither a late success nor a late failure means anything", () => {
      const health = newHealth();
      open(health, 0);
      health.succeeded(target(), guarded);
      expect(health.blockedForMs(target(), breaker, 0)).toBe(100);
      health.failed(target(), failureOf("server"), guarded, 50);
      health.failed(target(), failureOf("rate_limit"), guarded, 50);
      health.released(target(), guarded, 50);
      expect(health.blockedForMs(target(), breaker, 50)).toBe(50);
      expect(health.isQuiet).toBe(false);
    });

    test("B5: a probe that is refused shows that the provider is up", () => {
      const health = newHealth();
      open(health, 0);
      health.admitted(target(), guarded, 100);
      health.failed(target(), failureOf("auth"), guarded, 100);
      expect(health.blockedForMs(target(), breaker, 100)).toBe(0);
      expect(health.isQuiet).toBe(true);
    });

    test("B5: a probe that was aborted or says nothing lets the next one probe at once, one again", () => {
      for (const end of [
        (health: Health) => health.released(target(), guarded, 110),
        (health: Health) => health.failed(target(), failureOf("unknown"), guarded, 110),
      ]) {
        const health = newHealth();
        open(health, 0);
        health.admitted(target(), guarded, 100);
        end(health);
        expect(health.blockedForMs(target(), breaker, 110)).toBe(0);
        health.admitted(target(), guarded, 110);
        expect(health.blockedForMs(target(), breaker, 110)).toBe(100);
      }
    });

    test("B5: an attempt that took no probe has none to give back", () => {
      const health = newHealth();
      open(health, 0);
      health.admitted(target(), guarded, 100);
      health.released(target(), plain, 110);
      health.failed(target(), failureOf("unknown"), plain, 110);
      expect(health.blockedForMs(target(), breaker, 110)).toBe(90);
    });

    test("B5: a probe that never reports back loses its claim after the cooldown", () => {
      const health = newHealth();
      open(health, 0);
      health.admitted(target(), guarded, 100);
      expect(health.blockedForMs(target(), breaker, 199)).toBe(1);
      expect(health.blockedForMs(target(), breaker, 200)).toBe(0);
      health.admitted(target(), guarded, 200);
      expect(health.blockedForMs(target(), breaker, 200)).toBe(100);
    });

    test("C9: news of a provider that nothing is known of changes nothing", () => {
      const health = newHealth();
      health.admitted(target(), guarded, 0);
      health.released(target(), guarded, 0);
      health.succeeded(target(), guarded);
      expect(health.isQuiet).toBe(true);
      health.failed(target("b"), failureOf("server"), guarded, 0);
      health.admitted(target("b"), guarded, 0);
      expect(health.blockedForMs(target("b"), breaker, 0)).toBe(0);
    });

    test("C9: of breaker and cooldown the longer wait counts", () => {
      const health = newHealth();
      open(health, 0);
      health.coolDown(target(), "model", 60);
      expect(health.blockedForMs(target(), breaker, 0)).toBe(100);
      expect(health.blockedForMs(target(), null, 0)).toBe(60);
      health.coolDown(target(), "model", 160);
      expect(health.blockedForMs(target(), breaker, 0)).toBe(160);
    });
  });

  describe(`${name}: retry budget`, () => {
    test("B5: retries spend tokens until none is left, for the whole provider", () => {
      const health = newHealth();
      for (let n = 0; n < 3; n++) {
        expect(health.canRetry(target("a", "other", "l"), budget)).toBe(true);
        health.spendRetry(target(), budget);
        expect(health.isQuiet).toBe(false);
      }
      expect(health.canRetry(target(), budget)).toBe(false);
      expect(health.canRetry(target("a", "other", "l"), budget)).toBe(false);
      expect(health.canRetry(target("b"), budget)).toBe(true);
    });

    test("B5: successes refill, never beyond the capacity, and a full budget is forgotten", () => {
      const health = newHealth();
      for (let n = 0; n < 3; n++) health.spendRetry(target(), budget);
      health.succeeded(target(), budgeted);
      expect(health.canRetry(target(), budget)).toBe(false);
      health.succeeded(target(), budgeted);
      expect(health.canRetry(target(), budget)).toBe(true);
      for (let n = 0; n < 3; n++) health.succeeded(target(), budgeted);
      expect(health.isQuiet).toBe(false);
      health.succeeded(target(), budgeted);
      expect(health.isQuiet).toBe(true);
      for (let n = 0; n < 9; n++) health.succeeded(target(), budgeted);
      for (let n = 0; n < 3; n++) health.spendRetry(target(), budget);
      expect(health.canRetry(target(), budget)).toBe(false);
    });

    test("B5: the budget never goes below nothing", () => {
      const health = newHealth();
      for (let n = 0; n < 50; n++) health.spendRetry(target(), budget);
      health.succeeded(target(), budgeted);
      health.succeeded(target(), budgeted);
      expect(health.canRetry(target(), budget)).toBe(true);
    });

    test("B5: a success under a policy without a budget refills nothing", () => {
      const health = newHealth();
      for (let n = 0; n < 3; n++) health.spendRetry(target(), budget);
      for (let n = 0; n < 9; n++) health.succeeded(target(), plain);
      expect(health.canRetry(target(), budget)).toBe(false);
      expect(health.isQuiet).toBe(false);
    });

    test("B5: breaker and budget of a provider do not wipe each other out", () => {
      const both = policyOf({ breaker, budget });
      const health = newHealth();
      health.spendRetry(target(), budget);
      health.failed(target(), failureOf("rate_limit"), both, 0);
      expect(health.isQuiet).toBe(false);
      open(health, 0);
      for (let n = 0; n < 9; n++) health.succeeded(target(), both);
      expect(health.isQuiet).toBe(false);
      expect(health.blockedForMs(target(), breaker, 0)).toBe(100);
    });
  });
}
