import { describe, expect, test } from "vitest";
import { summarise } from "../../src/activity/summarise.ts";
import type { FailureKind } from "../../src/index.ts";
import type { ActivityAttempt, ActivityRecord } from "../../src/wire/http/activity.ts";
import { answer, fails } from "../support/world.ts";
import { facts, newActivity } from "./activities.ts";

const target = { provider: "first", model: "a", credential: "" };

function attempt(change: Partial<ActivityAttempt> = {}): ActivityAttempt {
  return { attempt: 1, target, startedAt: 1000, endedAt: 1100, ok: true, ...change };
}

function failed(kind: FailureKind, status: number, change: Partial<ActivityAttempt> = {}): ActivityAttempt {
  return attempt({ ok: false, kind, status, evidence: `status:${status}`, ...change });
}

function record(attempts: readonly ActivityAttempt[], change: Partial<ActivityRecord> = {}): ActivityRecord {
  const outcome = attempts.at(-1)?.ok === true ? "succeeded" : "not-retryable";
  return {
    ...{ id: "g", ...facts, startedAt: 1000, endedAt: 2000, state: "ended", outcome, attempts },
    ...{ attemptCount: attempts.length, waitedMs: 0, ...change },
  };
}

describe("B4: totals", () => {
  test("B4: generations are counted by how they ended", () => {
    const retried = [failed("overloaded", 503, { waitedMs: 5 }), attempt({ attempt: 2 })];
    const records = [
      record([attempt()]),
      record(retried, { waitedMs: 4000, client: "ci", door: "gateway" }),
      record([failed("auth", 401)]),
      record([failed("aborted", 0)], { outcome: "aborted" }),
      record([failed("overloaded", 503)], { outcome: "gave-up" }),
      record([attempt()], { interrupted: true }),
      { ...record([attempt()], { state: "waiting" }), outcome: undefined as never },
    ];
    const summary = summarise(records, 5000);
    expect(summary).toMatchObject({
      ...{ since: 1000, at: 5000, generations: 7, running: 1, waiting: 1, first: 1, retried: 1, failed: 1, aborted: 3 },
      ...{ medianWaitMs: 4000, p95WaitMs: 4000, providers: ["first"], clients: ["ci"], doors: ["chat", "gateway"] },
    });
    expect(summary.failures).toEqual([
      { kind: "overloaded", provider: "first", count: 2 },
      { kind: "auth", provider: "first", count: 1 },
    ]);
    expect(summary.waits[summary.waitBucketsMs.findIndex((limit) => 4000 < limit)]).toBe(1);
  });

  test("B4: without a record there are no figures, and no error", () => {
    const summary = summarise([], 5000);
    expect(summary).toMatchObject({ since: 5000, generations: 0, medianWaitMs: null, p95WaitMs: null, saved: [] });
    expect(summary.waits).toHaveLength(summary.waitBucketsMs.length + 1);
    expect(summary.savedOverTime.every((calls) => calls === 0)).toBe(true);
  });

  test("B4: waits beyond the last bucket are in the one after it", () => {
    const { waits } = summarise([record([attempt()], { waitedMs: 1e9 })], 5000);
    expect(waits.at(-1)).toBe(1);
  });
});

describe("B4: calls saved", () => {
  const savedBy = (of: ActivityRecord): readonly unknown[] => summarise([of], 9000).saved;

  test.each<[string, ActivityRecord, string]>([
    ["a used-up quota", record([failed("usage_limit", 429)]), "quota"],
    ["a key that a gateway refuses with a 500", record([failed("auth", 500)]), "key"],
    ["a request that can't succeed", record([failed("bad_request", 500)]), "request"],
    ["one too large for its limit", record([failed("rate_limit", 429, { evidence: "quota:never-fits" })]), "request"],
    ["the same server error", record([failed("server", 500)], { outcome: "hopeless" }), "same-error"],
    [
      "a quota that was left at once",
      record([failed("usage_limit", 429, { moved: "rotate" }), attempt({ attempt: 2 })]),
      "quota",
    ],
  ])("B4: %s saves the two calls of an SDK", (_, of, reason) => {
    expect(savedBy(of)).toEqual([{ reason, calls: 2 }]);
    expect(summarise([of], 9000).savedOverTime.reduce((sum, calls) => sum + calls)).toBe(2);
  });

  test.each<[string, ActivityRecord]>([
    ["a status that SDKs do not repeat", record([failed("auth", 401)])],
    ["a failure without a status", record([attempt({ ok: false, kind: "bad_request" })])],
    ["a rate limit that passes", record([failed("rate_limit", 429)])],
    ["a quota that was waited for", record([failed("usage_limit", 429, { waitedMs: 10 }), attempt({ attempt: 2 })])],
    ["a server error when the retries were over", record([failed("server", 500)], { outcome: "retries-exhausted" })],
    ["an overload", record([failed("overloaded", 529)])],
  ])("B4: %s saves nothing", (_, of) => {
    expect(savedBy(of)).toEqual([]);
  });

  test("B4: a used-up quota through the engine saves two calls, an overload none", async () => {
    const { activity, world } = await newActivity();
    const quota = fails(429, JSON.stringify({ error: { code: "insufficient_quota", message: "You exceeded" } }));
    await world.run(quota, { policy: { rules: { usage_limit: "stop" } }, on: activity.watch(facts).on });
    await world.run(world.script(fails(503), answer()), { on: activity.watch(facts).on });
    expect((await activity.summary()).saved).toEqual([{ reason: "quota", calls: 2 }]);
  });
});
