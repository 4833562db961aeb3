import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MemoryHealth } from "../../../src/kernel/health/memory-health.ts";
import { breaker, budget, failureOf, guarded, open, policyOf, target, under } from "./fixtures.ts";

const both = policyOf({ breaker, budget });

describe("health that holds no target back", () => {
  test("C9: is free while failures are counted, and no longer once the breaker opens", () => {
    const health = new MemoryHealth();
    expect(health.isFree).toBe(true);
    health.failed(under(guarded), failureOf("server"), 0);
    expect([health.isQuiet, health.isFree]).toEqual([false, true]);
    open(health, 0);
    expect(health.isFree).toBe(false);
  });

  test("C9: is free while the retry budget refills", () => {
    const health = new MemoryHealth();
    health.admit(target(), both, 0, true);
    expect([health.isQuiet, health.isFree]).toEqual([false, true]);
  });

  test("B5: is not free during a cooldown or after a refusal", () => {
    const cooling = new MemoryHealth();
    cooling.coolDown(target(), "model", 100);
    expect(cooling.isFree).toBe(false);
    const refused = new MemoryHealth();
    refused.refuse(target(), "credential", 100, "auth");
    expect(refused.isFree).toBe(false);
  });

  test("C9: is free again once every breaker has closed", () => {
    const health = new MemoryHealth();
    open(health, 0);
    health.admit(target(), guarded, 100, false);
    health.succeeded(under(guarded, 100), 120);
    expect(health.isFree).toBe(false);
    health.admit(target(), guarded, 60_000, false);
    expect([health.isQuiet, health.isFree]).toEqual([true, true]);
  });

  test("C9: while it is free every target is admitted, whatever happened before", () => {
    const step = fc.record({
      what: fc.constantFrom("admit", "succeed", "fail", "limit", "release", "cool", "refuse", "retry"),
      provider: fc.constantFrom("a", "b"),
      afterMs: fc.integer({ min: 0, max: 400 }),
    });
    const seen = { free: 0, held: 0 };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const health = new MemoryHealth();
        let nowMs = 0;
        for (const { what, provider, afterMs } of steps) {
          nowMs += afterMs;
          const to = target(provider);
          const attempt = under(both, nowMs, to);
          if (what === "admit") health.admit(to, both, nowMs, false);
          else if (what === "succeed") health.succeeded(attempt, nowMs);
          else if (what === "fail") health.failed(attempt, failureOf("server"), nowMs);
          else if (what === "limit") health.failed(attempt, failureOf("rate_limit"), nowMs);
          else if (what === "release") health.released(attempt, nowMs);
          else if (what === "cool") health.coolDown(to, "model", nowMs + 50);
          else if (what === "refuse") health.refuse(to, "credential", nowMs + 50, "auth");
          else health.admit(to, both, nowMs, true);
          seen[health.isFree ? "free" : "held"]++;
          const blockedMs = ["a", "b"].map((name) => health.blockedForMs(target(name), breaker, nowMs));
          if (health.isFree) expect(blockedMs).toEqual([0, 0]);
          if (health.isQuiet) expect(health.isFree).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
    expect(seen.free).toBeGreaterThan(0);
    expect(seen.held).toBeGreaterThan(0);
  });
});
