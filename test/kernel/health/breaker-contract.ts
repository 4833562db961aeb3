import { describe, expect, test } from "vitest";
import type { Health } from "../../../src/kernel/health/health.ts";
import { FAILURE_KINDS, type FailureKind } from "../../../src/kernel/model/failure.ts";
import { breaker, failureOf, guarded, letThrough, open, plain, target, under } from "./fixtures.ts";

const SICK: readonly FailureKind[] = [
  "overloaded",
  "server",
  "network",
  "timeout",
  "stalled",
  "silent",
  "stream_broken",
];

/** What the breaker of every Health must do, whatever it keeps its facts in. */
export function breakerContract(name: string, newHealth: () => Health): void {
  /** Opened at 0; the probe went out at 100 and came back well at 120. */
  const recovering = (): Health => {
    const health = newHealth();
    open(health, 0);
    health.admit(target(), guarded, 100, false);
    health.succeeded(under(guarded, 100), 120);
    return health;
  };

  describe(`${name}: breaker`, () => {
    test("C9: opens after the configured number of failures in a row, for every model of the provider", () => {
      const health = newHealth();
      health.failed(under(guarded), failureOf("server"), 0);
      expect(health.blockedForMs(target(), breaker, 0)).toBe(0);
      expect(health.isQuiet).toBe(false);
      health.failed(under(guarded, -1, target("a", "other", "l")), failureOf("network"), 10);
      expect(health.blockedForMs(target(), breaker, 10)).toBe(100);
      expect(health.blockedForMs(target("a", "third", "x"), breaker, 60)).toBe(50);
      expect(health.blockedForMs(target("b"), breaker, 10)).toBe(0);
    });

    test("C9: a policy without a breaker neither feels nor feeds it", () => {
      const health = newHealth();
      for (let n = 0; n < 9; n++) health.failed(under(plain), failureOf("server"), 0);
      expect(health.isQuiet).toBe(true);
      open(health, 0);
      expect(health.blockedForMs(target(), null, 0)).toBe(0);
      health.admit(target(), plain, 500, false);
      expect(health.blockedForMs(target(), breaker, 500)).toBe(0);
    });

    test("C9: a success in between starts the count anew", () => {
      const health = newHealth();
      health.failed(under(guarded), failureOf("server"), 0);
      health.succeeded(under(guarded), 0);
      health.failed(under(guarded), failureOf("server"), 0);
      expect(health.blockedForMs(target(), breaker, 0)).toBe(0);
    });

    test("C9: a failure is forgotten once calls have been answered for some seconds", () => {
      const health = newHealth();
      health.failed(under(guarded), failureOf("server"), 0);
      health.succeeded(under(guarded), 100);
      expect(health.isQuiet).toBe(false);
      health.succeeded(under(guarded), 10_000);
      expect(health.isQuiet).toBe(true);
    });

    test.each(FAILURE_KINDS)("C9: whether %s speaks of a sick provider", (kind) => {
      const health = newHealth();
      for (let n = 0; n < breaker.failures; n++) health.failed(under(guarded), failureOf(kind), 0);
      expect(health.blockedForMs(target(), breaker, 0)).toBe(SICK.includes(kind) ? 100 : 0);
      // Limits are counted, too, to know whether most calls meet them.
      expect(health.isQuiet).toBe(!SICK.includes(kind) && kind !== "rate_limit");
    });

    test("C9: a refusal shows that the provider is up; the unknown shows nothing", () => {
      const health = newHealth();
      health.failed(under(guarded), failureOf("server"), 0);
      health.failed(under(guarded), failureOf("unknown"), 0);
      health.failed(under(guarded), failureOf("server"), 0);
      expect(health.blockedForMs(target(), breaker, 0)).toBe(100);

      const other = newHealth();
      other.failed(under(guarded), failureOf("server"), 0);
      other.failed(under(guarded), failureOf("rate_limit"), 0);
      other.failed(under(guarded), failureOf("server"), 0);
      expect(other.blockedForMs(target(), breaker, 0)).toBe(0);
    });

    test("B5: after the cooldown exactly one probe is let through", () => {
      const health = newHealth();
      open(health, 0);
      expect(health.blockedForMs(target(), breaker, 99)).toBe(1);
      expect(health.blockedForMs(target(), breaker, 100)).toBe(0);
      expect(letThrough(health, 1, 100)).toBe(1);
      expect(health.blockedForMs(target(), breaker, 100)).toBe(100);
      expect(health.blockedForMs(target("a", "other", "l"), breaker, 130)).toBe(70);
      expect(letThrough(health, 100, 199)).toBe(0);
    });

    test("B5: looking takes no place and turns no call away", () => {
      const health = newHealth();
      open(health, 0);
      for (let n = 0; n < 9; n++) expect(health.blockedForMs(target(), breaker, 100)).toBe(0);
      expect(health.admit(target(), guarded, 40, false)).toBe(60);
      expect(health.admit(target(), guarded, 100, false)).toBe(0);
    });

    test("B5: blocked calls get different wait times, the first one the shortest", () => {
      const health = newHealth();
      open(health, 0);
      const waits = Array.from({ length: 50 }, () => health.admit(target(), guarded, 40, false));
      expect(waits[0]).toBe(60);
      expect(new Set(waits).size).toBe(50);
      expect(Math.max(...waits)).toBeLessThan(1060);
    });

    test("B5: the probe's success lets a handful through, then as many as answers and time allow", () => {
      const health = recovering();
      expect(health.isQuiet).toBe(false);
      expect(letThrough(health, 1000, 120)).toBe(5);
      expect(letThrough(health, 1000, 1120)).toBe(5);
      expect(letThrough(health, 10, 20_000)).toBe(10);
      expect(health.isQuiet).toBe(true);
    });

    test("B5: a lucky probe in a bad outage costs a handful of calls, then it is open again", () => {
      const health = recovering();
      letThrough(health, 1000, 120);
      for (let n = 0; n < 2; n++) health.failed(under(guarded, 120), failureOf("network"), 5120);
      expect(health.blockedForMs(target(), breaker, 5120)).toBe(100);
      expect(letThrough(health, 1000, 5219)).toBe(0);
    });

    test("B5: during recovery, outcomes of earlier calls are ignored", () => {
      const health = recovering();
      for (let n = 0; n < 9; n++) health.failed(under(guarded, 119), failureOf("network"), 200);
      expect(letThrough(health, 1000, 200)).toBe(5);
    });

    test("B5: answers may take longer than a probe's claim: the first probe's counts, though others went after it", () => {
      const health = newHealth();
      open(health, 0);
      for (let nowMs = 100; nowMs <= 900; nowMs += 100) expect(health.admit(target(), guarded, nowMs, false)).toBe(0);
      // That an earlier probe came to nothing says less than the one that is out; but failures take long, so its claim is longer.
      health.released(under(guarded, 200), 950);
      expect(health.blockedForMs(target(), breaker, 950)).toBe(50);
      health.failed(under(guarded, 100), failureOf("timeout"), 950);
      expect(health.blockedForMs(target(), breaker, 950)).toBe(800);
      health.succeeded(under(guarded, 300), 960);
      expect(letThrough(health, 5, 960)).toBe(5);
    });

    test("B5: the success of an attempt that a person sent puts an open one on its way back", () => {
      const health = newHealth();
      open(health, 0);
      expect(health.admit(target(), guarded, 10, false)).toBe(90);
      health.succeeded(under(guarded, 10), 20);
      expect(letThrough(health, 5, 20)).toBe(5);
    });

    test("B5: few are no herd: five a second go without a wait, whatever answers take", () => {
      const health = recovering();
      for (let nowMs = 200; nowMs < 10_000; nowMs += 200) expect(letThrough(health, 1, nowMs)).toBe(1);
    });

    test("B5: a place that a cooldown of the same target denies is not taken", () => {
      const health = newHealth();
      open(health, 0);
      health.coolDown(target(), "model", 150);
      expect(health.admit(target(), guarded, 100, false)).toBe(50);
      expect(health.admit(target("a", "other"), guarded, 100, false)).toBe(0);
    });

    test("B5: each failed probe doubles the cooldown, up to the longest", () => {
      const health = newHealth();
      open(health, 0);
      let nowMs = 100;
      for (const cooldownMs of [200, 350, 350]) {
        health.admit(target(), guarded, nowMs, false);
        health.failed(under(guarded, nowMs), failureOf("timeout"), nowMs);
        expect(health.blockedForMs(target(), breaker, nowMs)).toBe(cooldownMs);
        nowMs += cooldownMs;
        expect(health.blockedForMs(target(), breaker, nowMs)).toBe(0);
      }
    });

    test("B5: the cooldown is short again after the provider was well", () => {
      const health = newHealth();
      open(health, 0);
      health.admit(target(), guarded, 100, false);
      health.failed(under(guarded, 100), failureOf("server"), 100);
      health.admit(target(), guarded, 300, false);
      health.succeeded(under(guarded, 300), 310);
      health.admit(target(), guarded, 10_000, false);
      open(health, 11_000);
      expect(health.blockedForMs(target(), breaker, 11_000)).toBe(100);
    });

    test("B5: while it is open neither a late success nor a late failure means anything", () => {
      const health = newHealth();
      open(health, 0);
      health.succeeded(under(guarded), 0);
      expect(health.blockedForMs(target(), breaker, 0)).toBe(100);
      health.failed(under(guarded), failureOf("server"), 50);
      health.failed(under(guarded), failureOf("rate_limit"), 50);
      health.released(under(guarded), 50);
      expect(health.blockedForMs(target(), breaker, 50)).toBe(50);
      expect(health.isQuiet).toBe(false);
    });

    test("B5: a probe that is refused shows that the provider is up", () => {
      const health = newHealth();
      open(health, 0);
      health.admit(target(), guarded, 100, false);
      health.failed(under(guarded, 100), failureOf("auth"), 100);
      expect(letThrough(health, 5, 100)).toBe(5);
    });

    test("B5: after an aborted or inconclusive probe, exactly one other call may probe at once", () => {
      for (const end of [
        (health: Health) => health.released(under(guarded, 100), 110),
        (health: Health) => health.failed(under(guarded, 100), failureOf("unknown"), 110),
      ]) {
        const health = newHealth();
        open(health, 0);
        health.admit(target(), guarded, 100, false);
        end(health);
        expect(health.blockedForMs(target(), breaker, 110)).toBe(0);
        health.admit(target(), guarded, 110, false);
        expect(health.blockedForMs(target(), breaker, 110)).toBe(100);
      }
    });

    test("B5: an attempt that took no probe has none to give back", () => {
      const health = newHealth();
      open(health, 0);
      health.admit(target(), guarded, 100, false);
      health.released(under(plain, 100), 110);
      health.failed(under(plain, 100), failureOf("unknown"), 110);
      expect(health.blockedForMs(target(), breaker, 110)).toBe(90);
    });

    test("B5: a probe that never reports back loses its claim after the cooldown", () => {
      const health = newHealth();
      open(health, 0);
      health.admit(target(), guarded, 100, false);
      expect(health.blockedForMs(target(), breaker, 199)).toBe(1);
      expect(health.blockedForMs(target(), breaker, 200)).toBe(0);
      health.admit(target(), guarded, 200, false);
      expect(health.blockedForMs(target(), breaker, 200)).toBe(100);
    });

    test("C9: news of a provider that nothing is known of changes nothing", () => {
      const health = newHealth();
      health.admit(target(), guarded, 0, false);
      health.released(under(guarded), 0);
      health.succeeded(under(guarded), 0);
      expect(health.isQuiet).toBe(true);
      health.failed(under(guarded, -1, target("b")), failureOf("server"), 0);
      expect(health.admit(target("b"), guarded, 0, false)).toBe(0);
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
      expect(health.admit(target(), guarded, 0, false)).toBe(160);
    });
  });
}
