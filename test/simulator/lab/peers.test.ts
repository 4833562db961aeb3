import { describe, expect, test } from "vitest";
import type { Admission, Failure } from "../../../src/kernel/index.ts";
import { labEntrant, runLab, scenarioOf } from "../../../src/simulator/lab/index.ts";
import { DENIED_MS } from "../../../src/simulator/lab/peers/denied.ts";
import { RateBreaker } from "../../../src/simulator/lab/peers/rate-breaker.ts";
import { RetryQuota } from "../../../src/simulator/lab/peers/retry-quota.ts";

const target = { provider: "first", model: "model", credential: "" };
const { policy } = labEntrant("aws-standard") ?? expect.fail("there is no aws-standard");
const at = (admittedAtMs: number): Admission => ({ target, policy, admittedAtMs });
const overloaded = { kind: "overloaded" } as Failure;
const timedOut = { kind: "timeout" } as Failure;

describe("B7: the retry quota of the AWS SDK", () => {
  const retry = (quota: RetryQuota, nowMs: number): number => quota.admit(target, policy, nowMs, true);

  test("B7: pays for a hundred retries, then ends generations at once; first calls are free", () => {
    const quota = new RetryQuota();
    for (let n = 0; n < 100; n++) {
      expect(retry(quota, n)).toBe(0);
      quota.failed(at(n), overloaded);
    }
    expect(quota.tokens).toBe(0);
    expect(retry(quota, 200)).toBe(DENIED_MS);
    expect(quota.admit(target, policy, 200, false)).toBe(0);
  });

  test("B7: gets its price back from a retry that succeeds, and one token from a first call, up to its size", () => {
    const quota = new RetryQuota();
    for (let n = 0; n < 10; n++) retry(quota, n);
    expect(quota.tokens).toBe(450);
    quota.succeeded(at(3));
    expect(quota.tokens).toBe(455);
    quota.succeeded(at(3));
    expect(quota.tokens).toBe(456);
    quota.released(at(4));
    quota.succeeded(at(4));
    expect(quota.tokens).toBe(457);
    for (let n = 0; n < 100; n++) quota.succeeded(at(999));
    expect(quota.tokens).toBe(500);
  });

  test("B7: charges twice as much after a timeout", () => {
    const quota = new RetryQuota();
    quota.failed(at(0), timedOut);
    retry(quota, 1);
    expect(quota.tokens).toBe(490);
    quota.failed(at(1), overloaded);
    retry(quota, 2);
    expect(quota.tokens).toBe(485);
  });
});

describe("B7: the circuit breaker of resilience4j", () => {
  const note = (breaker: RateBreaker, failures: number, successes: number, nowMs = 0): void => {
    for (let n = 0; n < successes; n++) breaker.succeeded(at(0), nowMs);
    for (let n = 0; n < failures; n++) breaker.failed(at(0), overloaded, nowMs);
  };
  const ask = (breaker: RateBreaker, nowMs: number): number => breaker.admit(target, policy, nowMs);

  test("B7: opens when half of the last hundred calls failed, and not before there were a hundred", () => {
    const breaker = new RateBreaker();
    note(breaker, 99, 0);
    expect(breaker.phaseOf("first")).toBe("closed");
    note(breaker, 1, 0);
    expect(breaker.phaseOf("first")).toBe("open");
    expect(breaker.phaseOf("second")).toBe("closed");
  });

  test("B7: forgets what is more than a hundred calls ago", () => {
    const breaker = new RateBreaker();
    note(breaker, 49, 51);
    note(breaker, 0, 100);
    note(breaker, 49, 0);
    expect(breaker.phaseOf("first")).toBe("closed");
    note(breaker, 1, 0);
    expect(breaker.phaseOf("first")).toBe("open");
  });

  test("B7: lets ten calls through after a minute; they decide whether it closes or opens again", () => {
    const breaker = new RateBreaker();
    note(breaker, 100, 0, 1000);
    expect([ask(breaker, 60_999), breaker.blockedForMs(target, null, 60_999)]).toEqual([DENIED_MS, DENIED_MS]);
    expect(breaker.blockedForMs(target, null, 61_000)).toBe(0);
    for (let n = 0; n < 10; n++) expect(ask(breaker, 61_000)).toBe(0);
    expect(ask(breaker, 61_000)).toBe(DENIED_MS);
    note(breaker, 5, 5, 62_000);
    expect(breaker.phaseOf("first")).toBe("open");
    expect(ask(breaker, 121_999)).toBe(DENIED_MS);
    for (let n = 0; n < 9; n++) ask(breaker, 122_000);
    breaker.released(at(122_000));
    expect([ask(breaker, 122_000), ask(breaker, 122_000), ask(breaker, 122_000)]).toEqual([0, 0, DENIED_MS]);
    note(breaker, 4, 6, 123_000);
    expect([breaker.phaseOf("first"), ask(breaker, 123_000)]).toEqual(["closed", 0]);
  });
});

describe("B7: peers with a health of their own, in the lab", () => {
  const live = (name: string, replicas = 1) => {
    const entrant = labEntrant(name) ?? expect.fail(`there is no ${name}`);
    return runLab({ ...entrant, scenario: scenarioOf("fast-503"), clients: 1000, seed: 1, replicas });
  };

  test("B7: the quota ends retries in an outage, so most generations fail with few calls", async () => {
    const { figures } = await live("aws-standard");
    expect(figures.failed).toBeGreaterThan(0.3);
    expect(figures.amplification).toBeLessThan(1.05);
    const spread = await live("aws-standard", 20);
    expect(spread.figures.amplification).toBeGreaterThan(figures.amplification);
  });

  test("B7: the open breaker fails generations without a call, also after the outage", async () => {
    const { figures, series, outageTo } = await live("resilience4j");
    expect(figures.amplification).toBeLessThan(1);
    expect(figures.failed).toBeGreaterThan(0.3);
    expect(figures.waited).toBeLessThan(0.1);
    expect(series.failed.slice(outageTo).some((count) => count > 0)).toBe(true);
  });
});
