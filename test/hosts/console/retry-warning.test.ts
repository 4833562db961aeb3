import { describe, expect, test } from "vitest";
import { RetryWarnings } from "../../../src/hosts/console/retry-warning.ts";
import { MemoryHealth } from "../../../src/index.ts";
import { whyHeldBack } from "../../../src/kernel/health/why-held-back.ts";
import type { Failure } from "../../../src/kernel/index.ts";
import { factsOf } from "../../../src/session/retry/retry-dialect.ts";
import { breaker, failureOf, guarded, open, target } from "../../kernel/health/fixtures.ts";

function warningOf(failure: Failure): string | undefined {
  const start = { type: "auto_retry_start", attempt: 1, maxAttempts: null, delayMs: 4000, heldBack: true } as const;
  const event = { ...start, errorMessage: failure.message, ...factsOf(failure) };
  return new RetryWarnings().hear(event, 5000)[0];
}

describe("C3: the warning of a policy that limits all waits together", () => {
  const limited = { ...failureOf("server"), status: 503 };
  const start = { type: "auto_retry_start", attempt: 1, maxAttempts: null, delayMs: 4000, heldBack: false } as const;
  const event = { ...start, errorMessage: limited.message, ...factsOf(limited) };
  const promised = [
    "⚠️  API request failed (503 Service Unavailable), retrying in 4 seconds... (attempt 1)",
    "   Press Ctrl-C to cancel",
  ];

  test("C3: adds a line with what was waited and may be waited in all", () => {
    expect(new RetryWarnings().hear({ ...event, waitedMs: 48_000, patienceMs: 300_000 }, 5000)).toEqual([
      ...promised,
      "   Waited 48 s of 5 min",
    ]);
  });

  test("C3: has no such line without a limit", () => {
    expect(new RetryWarnings().hear(event, 5000)).toEqual(promised);
  });
});

describe("C9: the warning if no call was made", () => {
  test("C9: a cooldown is called one, not a failed request and not a breaker", () => {
    const health = new MemoryHealth();
    health.coolDown(target(), "credential", 4000);
    expect(warningOf(whyHeldBack(health, target(), breaker, 0))).toBe(
      "⚠️  The target is cooling down after an earlier limit, retrying in 4 seconds...",
    );
  });

  test("C9: an open breaker is called so", () => {
    const health = new MemoryHealth();
    open(health, 0);
    expect(warningOf(whyHeldBack(health, target(), breaker, 0))).toBe(
      "⚠️  API unavailable (circuit breaker triggered), retrying in 4 seconds...",
    );
  });

  test("C9: a limit that this exchange ran into is not called a triggered breaker", () => {
    for (const kind of ["rate_limit", "usage_limit"] as const) {
      const limited = { ...failureOf(kind), status: 429, message: "Slow down" };
      expect(warningOf(limited)).toMatch(/^⚠️ {2}API request failed \(429 Too Many Requests.*\), retrying in 4 seconds/);
    }
    expect(warningOf(failureOf("server"))).toBe(
      "⚠️  API unavailable (circuit breaker triggered), retrying in 4 seconds...",
    );
  });

  test("C9: the way back is not called a triggered breaker", () => {
    const health = new MemoryHealth();
    health.coolDown(target(), "credential", 1);
    for (let n = 0; n < 10; n++) health.admit(target(), guarded, 1, false);
    expect(warningOf(whyHeldBack(health, target(), breaker, 1))).toBe(
      "⚠️  The target is recovering: calls are let through a few at a time, retrying in 4 seconds...",
    );
  });
});
