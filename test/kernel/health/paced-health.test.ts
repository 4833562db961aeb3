import { describe, expect, test } from "vitest";
import type { Health } from "../../../src/kernel/health/health.ts";
import { MemoryHealth } from "../../../src/kernel/health/memory-health.ts";
import { PacedHealth } from "../../../src/kernel/health/paced-health.ts";
import { failureOf, guarded, target } from "./fixtures.ts";

const SPEC = { first: 4, most: 50 };

const attempt = (admittedAtMs: number) => ({ target: target(), policy: guarded, admittedAtMs });

describe("a health with a pace", () => {
  test("B5: lets through as many calls as the pace allows, and a place that is given back goes to the next", () => {
    const health = new PacedHealth(new MemoryHealth(), SPEC);
    for (let n = 0; n < 4; n++) {
      expect(health.admit(target(), guarded, 1000, false)).toBe(0);
      health.started(target());
    }
    expect(health.admit(target(), guarded, 1000, false)).toBeGreaterThan(0);
    expect(health.freeInMs(target(), guarded, 1000)).toBeGreaterThan(0);
    expect(health.facts(1000)).toMatchObject([{ width: 4, underWay: 4, reason: "width", perMinute: undefined }]);
    health.released(attempt(1000), 1100);
    expect(health.facts(1100)).toMatchObject([{ underWay: 3, reason: undefined }]);
  });

  test("B5: each credential has a pace of its own", () => {
    const health = new PacedHealth(new MemoryHealth(), { first: 1, most: 1 });
    expect(health.admit(target("a", "m", "k"), guarded, 0, false)).toBe(0);
    health.started(target("a", "m", "k"));
    expect(health.admit(target("a", "m", "k"), guarded, 0, false)).toBeGreaterThan(0);
    expect(health.admit(target("a", "m", "l"), guarded, 0, false)).toBe(0);
  });

  test("B5: two limits in a row with a hint hold all calls back until it is over, and say how many a minute it allows", () => {
    const health = new PacedHealth(new MemoryHealth(), SPEC);
    for (let n = 0; n < 4; n++) {
      health.admit(target(), guarded, 1000, false);
      health.started(target());
    }
    health.succeeded(attempt(1000), 1100);
    health.succeeded(attempt(1000), 1100);
    const limit = { ...failureOf("rate_limit"), retryable: true, hintMs: 9000 };
    health.failed(attempt(1050), limit, 1110);
    health.failed(attempt(1050), limit, 1120);
    expect(health.facts(1200)[0]).toMatchObject({ reason: "refused" });
    expect(health.facts(1200)[0]?.perMinute).toBeGreaterThan(5);
    expect(health.facts(1200)[0]?.perMinute).toBeLessThan(30);
    expect(health.freeInMs(target(), guarded, 1200)).toBeGreaterThan(8000);
  });

  test("B5: obeys the headers of a good answer, and of tokens as much as a call takes", () => {
    const health = new PacedHealth(new MemoryHealth(), SPEC);
    health.noteTokens(target(), 100);
    const headers = {
      "x-ratelimit-remaining-requests": "1000",
      "x-ratelimit-reset-requests": "60s",
      "x-ratelimit-remaining-tokens": "6000",
      "x-ratelimit-reset-tokens": "60s",
    };
    health.noteHead(target(), { startedMs: 900, status: 200, headers }, 1000, Date.UTC(2026, 0, 1));
    expect(health.facts(1000)[0]?.perMinute).toBeCloseTo(58.2, 1);
  });

  test("B5: the breaker below it opens and holds calls back as it does alone", () => {
    const health = new PacedHealth(new MemoryHealth(), SPEC);
    const alone = new MemoryHealth();
    for (let n = 0; n < 10; n++) {
      for (const one of [health, alone]) {
        one.started(target());
        one.failed(attempt(1000), failureOf("server"), 1000 + n);
      }
    }
    const waitMs = alone.blockedForMs(target(), guarded.breaker, 1010);
    expect(waitMs).toBeGreaterThan(0);
    expect(health.blockedForMs(target(), guarded.breaker, 1010)).toBe(waitMs);
    expect(health.freeInMs(target(), guarded, 1010)).toBe(waitMs);
    expect(health.admit(target(), guarded, 1010, false)).toBeGreaterThan(0);
    expect(health.facts(1010)).toMatchObject([{ underWay: 0 }]);
  });

  test("B5: a request that never fits and a broken connection say nothing about the pace", () => {
    const health = new PacedHealth(new MemoryHealth(), SPEC);
    for (const kind of ["rate_limit", "network", "bad_request"] as const) {
      for (let n = 0; n < 3; n++) {
        health.started(target());
        health.failed(attempt(1000), { ...failureOf(kind), retryable: false }, 1000);
      }
    }
    expect(health.facts(1000)).toMatchObject([{ width: 4, underWay: 0, perMinute: undefined }]);
  });

  test("B5: what a failure says of the pace depends on its kind and words", () => {
    const limit = { ...failureOf("rate_limit"), retryable: true };
    const factsAfter = (failure: ReturnType<typeof failureOf>): unknown => {
      const health = new PacedHealth(new MemoryHealth(), SPEC);
      for (let n = 0; n < 4; n++) {
        health.admit(target(), guarded, 1000, false);
        health.started(target());
      }
      for (let n = 0; n < 3; n++) health.failed(attempt(1000), failure, 1100 + n);
      return health.facts(1200)[0];
    };
    expect(factsAfter(failureOf("overloaded"))).toMatchObject({ isNarrow: true });
    expect(factsAfter({ ...limit, message: "Too many concurrent requests" })).toMatchObject({ isNarrow: true });
    expect(factsAfter({ ...limit, retryable: false })).toMatchObject({ isNarrow: false, reason: undefined });
    expect(factsAfter(limit)).not.toMatchObject({ reason: undefined });
  });

  test("B5: counts tokens as they come, and no refusal as an acceptance", () => {
    const health = new PacedHealth(new MemoryHealth(), SPEC);
    health.noteTokens(target(), 100);
    health.noteTokens(target(), 200);
    const headers = { "x-ratelimit-remaining-tokens": "1100", "x-ratelimit-reset-tokens": "60s" };
    health.noteHead(target(), { startedMs: 900, status: 429, headers }, 1000, Date.UTC(2026, 0, 1));
    // A call takes 110 by now.
    expect(health.facts(1000)[0]?.perMinute).toBeLessThan(11);
  });

  test("B5: works on a health that offers the least", () => {
    const cooled: string[] = [];
    const least: Health = {
      isQuiet: true,
      isFree: true,
      blockedForMs: () => 7,
      admit: () => 3,
      succeeded: () => undefined,
      failed: () => undefined,
      released: () => undefined,
      coolDown: (_, scope) => void cooled.push(scope),
    };
    const health = new PacedHealth(least, SPEC);
    expect([health.isCrowded(target(), 0), health.isRare(target(), failureOf("server"))]).toEqual([false, false]);
    expect([health.refusalOf(target(), 0), health.limitOf(target(), null, 0)]).toEqual([undefined, undefined]);
    expect([health.admit(target(), guarded, 0, false), health.blockedForMs(target(), null, 0)]).toEqual([3, 7]);
    health.started(target());
    health.countAnswer(target(), { roughNow: () => 0 });
    health.refuse(target(), "model", 9, "not_found");
    health.refuse(target(), "credential", 9, "usage_limit");
    expect(cooled).toEqual(["model"]);
  });
});
