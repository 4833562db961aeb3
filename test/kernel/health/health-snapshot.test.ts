import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MemoryHealth } from "../../../src/kernel/health/memory-health.ts";
import type { FailureKind } from "../../../src/kernel/model/failure.ts";
import { breaker, budget, failureOf, guarded, policyOf, steadily, target, under } from "./fixtures.ts";

const budgeted = policyOf({ breaker, budget });

function shut(atMs = 0): MemoryHealth {
  const health = new MemoryHealth();
  for (let n = 0; n < 5; n++) health.failed(under(guarded), failureOf("server"), atMs + n * 10);
  return health;
}

describe("B5: what people see of health", () => {
  test("B5: with nothing known against anyone, it lists the providers that were called", () => {
    const health = new MemoryHealth();
    expect(health.snapshot(0)).toEqual({ called: [], cooldowns: [], breakers: [], budgets: [] });
    health.started(target("a"));
    expect(health.snapshot(0).called).toEqual(["a"]);
    health.started(target("b"));
    expect(health.snapshot(0).called).toEqual(["a", "b"]);
  });

  test("B5: an open breaker has its time left; while a probe is out it has none; then it recovers", () => {
    const health = shut();
    const [open] = health.snapshot(50).breakers;
    expect(open).toMatchObject({ provider: "a", phase: "open" });
    const leftMs = open?.leftMs ?? 0;
    expect(leftMs).toBeGreaterThan(0);
    expect(health.admit(target(), guarded, 50 + leftMs, false)).toBe(0);
    expect(health.snapshot(50 + leftMs).breakers).toMatchObject([{ phase: "probing", leftMs: undefined }]);
    health.succeeded(under(guarded, 50 + leftMs), 60 + leftMs);
    expect(health.snapshot(60 + leftMs).breakers).toMatchObject([{ phase: "recovering", share: undefined }]);
    expect(health.snapshot(1_000_000).breakers).toEqual([]);
  });

  test("B5: a provider with usual traffic recovers by a share of it", () => {
    const health = new MemoryHealth();
    let nowMs = steadily(health, 20, 20, 0);
    for (let n = 0; n < 60; n++) {
      nowMs += 20;
      health.failed(under(guarded), failureOf("server"), nowMs);
    }
    nowMs += health.snapshot(nowMs).breakers[0]?.leftMs ?? 0;
    expect(health.admit(target(), guarded, nowMs, false)).toBe(0);
    health.succeeded(under(guarded, nowMs), nowMs + 5);
    const { share = -1 } = health.snapshot(nowMs + 5).breakers[0] ?? {};
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan(0.5);
  });

  test("B5: a cooldown has its target, its scope and its time left, and is gone afterwards", () => {
    const health = new MemoryHealth();
    health.coolDown(target("a", "m", "k"), "credential", 5000);
    health.refuse(target("b", "n", "k"), "model", 9000, "usage_limit");
    expect(health.snapshot(1000).cooldowns).toEqual([
      { target: target("a", "m", "k"), scope: "credential", leftMs: 4000, refusal: undefined, share: undefined },
      { target: target("b", "n", ""), scope: "model", leftMs: 8000, refusal: "usage_limit", share: undefined },
    ]);
    expect(health.snapshot(9000).cooldowns).toEqual([]);
  });

  test("B5: a budget that was spent from has its tokens and its capacity", () => {
    const health = new MemoryHealth();
    expect(health.admit(target(), budgeted, 0, true)).toBe(0);
    expect(health.snapshot(0).budgets).toEqual([{ provider: "a", tokens: 2, capacity: 3 }]);
  });

  test("B5: a breaker that is closed by hand lets every call through, and health is quiet again", () => {
    const health = shut();
    expect(health.admit(target(), guarded, 50, false)).toBeGreaterThan(0);
    expect(health.closeBreaker("unknown")).toBe(false);
    expect(health.closeBreaker("a")).toBe(true);
    expect(health.closeBreaker("a")).toBe(false);
    expect(health.snapshot(50).breakers).toEqual([]);
    expect([health.isQuiet, health.isFree]).toEqual([true, true]);
    expect(health.admit(target(), guarded, 51, false)).toBe(0);
  });

  test("B5: a cooldown that is ended by hand holds no call back, and others stay", () => {
    const health = new MemoryHealth();
    health.coolDown(target("a", "m", "k"), "credential", 5000);
    health.coolDown(target("a", "m", "other"), "credential", 5000);
    expect(health.endCooldown(target("a", "m", "k"), "model")).toBe(false);
    expect(health.endCooldown(target("a", "m", "k"), "credential")).toBe(true);
    expect(health.blockedForMs(target("a", "m", "k"), null, 0)).toBe(0);
    expect(health.blockedForMs(target("a", "m", "other"), null, 0)).toBe(5000);
    expect(health.isQuiet).toBe(false);
    health.endCooldown(target("a", "m", "other"), "credential");
    expect(health.isQuiet).toBe(true);
  });

  test("B5: looking changes nothing, whatever has happened", () => {
    const step = fc.record({
      what: fc.constantFrom("ask", "retry", "succeed", "fail", "limit", "cool", "release"),
      provider: fc.constantFrom("a", "b"),
      afterMs: fc.nat(400),
    });
    const play = (steps: readonly { what: string; provider: string; afterMs: number }[], looks: boolean): unknown => {
      const health = new MemoryHealth();
      let nowMs = 0;
      const waits = steps.map(({ what, provider, afterMs }) => {
        nowMs += afterMs;
        const to = target(provider);
        if (looks) health.snapshot(nowMs);
        const fail = (kind: FailureKind): void => health.failed(under(budgeted, nowMs - 1, to), failureOf(kind), nowMs);
        if (what === "ask" || what === "retry") return health.admit(to, budgeted, nowMs, what === "retry");
        if (what === "succeed") health.succeeded(under(budgeted, nowMs - 1, to), nowMs);
        else if (what === "fail") fail("server");
        else if (what === "limit") fail("rate_limit");
        else if (what === "cool") health.coolDown(to, "model", nowMs + 300);
        else health.released(under(budgeted, nowMs - 1, to), nowMs);
        return [health.isQuiet, health.isFree];
      });
      return { waits, end: health.snapshot(nowMs).breakers };
    };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        expect(play(steps, true)).toEqual(play(steps, false));
      }),
    );
  });

  test("B5: what is cleared by hand leaves health as if it had never been, whatever has happened", () => {
    const step = fc.record({ kind: fc.constantFrom("server" as const, "rate_limit" as const), afterMs: fc.nat(400) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const health = new MemoryHealth();
        let nowMs = 0;
        for (const { kind, afterMs } of steps) {
          nowMs += afterMs;
          if (health.admit(target(), guarded, nowMs, false) > 0) continue;
          health.failed(under(guarded, nowMs), failureOf(kind), nowMs + 1);
          if (kind === "rate_limit") health.coolDown(target(), "credential", nowMs + 500);
        }
        health.closeBreaker("a");
        health.endCooldown(target(), "credential");
        expect(health.snapshot(nowMs)).toMatchObject({ breakers: [], cooldowns: [] });
        expect(health.admit(target(), guarded, nowMs, false)).toBe(0);
        expect(health.isFree).toBe(true);
      }),
    );
  });
});
