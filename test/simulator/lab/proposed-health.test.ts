import { describe, expect, test } from "vitest";
import { ProposedHealth } from "../../../src/simulator/lab/proposed/proposed-health.ts";
import { proposedPolicy } from "../../../src/simulator/lab/proposed/proposed-policy.ts";
import { failureOf, target } from "../../kernel/health/fixtures.ts";

const policy = proposedPolicy();
const { breaker } = policy;

/** Opened at 0 by five failures; the probe may go at 2000. */
function opened(spreadMs = 0): ProposedHealth {
  const health = new ProposedHealth({ rampMs: 30_000, spreadMs });
  for (let n = 0; n < 5; n++) health.failed(target(), failureOf("server"), policy, 0);
  return health;
}

/** The probe went out at 2000 and came back well at 2500. */
function recovering(): ProposedHealth {
  const health = opened();
  health.admitted(target(), policy, 2000);
  health.blockedForMs(target(), breaker, 2500);
  health.succeeded(target(), policy);
  return health;
}

/** How many of so many who ask at a moment are let through. */
function letThrough(health: ProposedHealth, asking: number, nowMs: number): number {
  let count = 0;
  for (let n = 0; n < asking; n++) {
    if (health.blockedForMs(target(), breaker, nowMs) > 0) continue;
    health.admitted(target(), policy, nowMs);
    count++;
  }
  return count;
}

describe("B5: the proposed health", () => {
  test("B5: lets one probe through; those behind it are told different moments", () => {
    const health = opened(1000);
    expect(letThrough(health, 100, 1999)).toBe(0);
    expect(letThrough(health, 100, 2000)).toBe(1);
    const waits = new Set(Array.from({ length: 50 }, () => health.blockedForMs(target(), breaker, 2001)));
    expect(waits.size).toBe(50);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1000);
    expect(Math.max(...waits)).toBeLessThan(2000);
  });

  test("B5: one good probe does not open the gates: calls come back in step with answers", () => {
    const health = recovering();
    const first = letThrough(health, 1000, 2501);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(3);
    expect(letThrough(health, 1000, 2600)).toBeLessThanOrEqual(3 - first);
    for (let n = 0; n < first; n++) health.succeeded(target(), policy);
    expect(letThrough(health, 1000, 3500)).toBeLessThanOrEqual(3 * first + 3);
  });

  test("B5: a lucky probe in a bad outage costs three calls, then it is open again", () => {
    const health = recovering();
    expect(letThrough(health, 1000, 4000)).toBeLessThanOrEqual(3);
    for (let n = 0; n < 2; n++) health.failed(target(), failureOf("network"), policy, 9000);
    expect(health.blockedForMs(target(), breaker, 9001)).toBeGreaterThan(1900);
  });

  test("B5: a call that went out before the probe does not speak for it", () => {
    const health = opened();
    health.admitted(target(), policy, 2000);
    const limited = { ...policy, watchdog: { ...policy.watchdog, firstContentMs: 5000 } };
    health.failed(target(), failureOf("silent"), limited, 3000);
    health.blockedForMs(target(), breaker, 3100);
    health.succeeded(target(), policy);
    expect(letThrough(health, 10, 3200)).toBeGreaterThan(0);
  });

  test("B5: a few generations are no herd: five a second come back without waiting", () => {
    const health = recovering();
    for (let nowMs = 3000; nowMs < 10_000; nowMs += 200) {
      expect(letThrough(health, 1, nowMs)).toBe(1);
      health.succeeded(target(), policy);
    }
  });

  test("B5: it is closed when nobody was turned away for a while", () => {
    const health = recovering();
    expect(health.isQuiet).toBe(false);
    expect(letThrough(health, 500, 20_000)).toBe(500);
    expect(health.isQuiet).toBe(true);
  });

  test("B5: the budget does not fail those whom the breaker holds back", () => {
    const health = opened();
    const budget = { capacity: 1, refillPerSuccess: 0 };
    for (let n = 0; n < 9; n++) health.spendRetry(target(), budget);
    expect(health.canRetry(target(), budget)).toBe(true);
  });

  test("B5: those who waited for the end of a quota come back in step", () => {
    const health = new ProposedHealth({ rampMs: 30_000, spreadMs: 0 });
    health.coolDown(target(), "credential", 5000);
    expect(health.blockedForMs(target(), breaker, 1000)).toBe(4000);
    expect(letThrough(health, 1000, 5000)).toBeLessThanOrEqual(3);
  });
});
