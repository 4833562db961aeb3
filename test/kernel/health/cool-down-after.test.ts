import { describe, expect, test } from "vitest";
import { definePolicy } from "../../../src/kernel/decide/define-policy.ts";
import { coolDownAfter } from "../../../src/kernel/health/cool-down-after.ts";
import type { Health } from "../../../src/kernel/health/health.ts";
import type { Decision, StopReason } from "../../../src/kernel/model/decision.ts";
import type { Failure } from "../../../src/kernel/model/failure.ts";
import { failure } from "../decide/situations.ts";

const target = { provider: "a", model: "m", credential: "k" };
const rotate: Decision = { type: "rotate", to: 1, schedule: 0, because: "" };
const move: Decision = { type: "switch", to: 1, schedule: 0, because: "" };
const wait: Decision = { type: "wait", to: 0, schedule: 0, delayMs: 5, because: "" };

interface Facts {
  readonly honourHints?: boolean;
  readonly hasOthers?: boolean;
  readonly when?: "immediate" | "after-retries" | "long-wait";
  readonly knowsRefusals?: boolean;
  /** Whether most calls do not fail like this. Undefined: health can't know. */
  readonly isRare?: boolean;
}

function cooled(decision: Decision, failed: Failure, facts: Facts = {}): unknown[][] {
  const { honourHints = true, hasOthers = true, when = "immediate", knowsRefusals = false, isRare } = facts;
  const told: unknown[][] = [];
  const tell = (...said: unknown[]) => told.push(said);
  const health = {
    coolDown: tell,
    ...(knowsRefusals && { refuse: tell }),
    ...(isRare !== undefined && { isRare: () => isRare }),
  } as unknown as Health;
  const policy = definePolicy({ honourHints, fallback: { cooldownMs: 700, when } });
  coolDownAfter({ health, target, position: 0, hasOthers, failure: failed, policy, decision, nowMs: 1000 });
  return told;
}

describe("E17: what cools down", () => {
  test("E17: a limited credential that is rotated away cools down for as long as the endpoint asks", () => {
    const limited = failure("usage_limit", { scope: "credential" });
    expect(cooled(rotate, { ...limited, hintMs: 50 })).toEqual([[target, "credential", 1050]]);
    expect(cooled(rotate, limited)).toEqual([[target, "credential", 1700]]);
    expect(cooled(rotate, { ...limited, hintMs: 50 }, { honourHints: false })).toEqual([[target, "credential", 1700]]);
  });

  test("E13: what is wrong with one request cools nothing down for the others", () => {
    expect(cooled(move, failure("invalid_content", { scope: "request" }))).toEqual([]);
    expect(cooled(move, failure("rate_limit", { scope: "credential", retryable: false, hintMs: 50 }))).toEqual([]);
    expect(cooled(wait, failure("rate_limit", { scope: "credential", retryable: false, hintMs: 50 }))).toEqual([]);
  });

  test.each(["model", "provider"] as const)("E17: a model that is left over a %s failure cools down", (scope) => {
    expect(cooled(move, failure("server", { scope }))).toEqual([[target, "model", 1700]]);
    expect(cooled(move, failure("server", { scope, hintMs: 20 }))).toEqual([[target, "model", 1020]]);
  });

  test("E17: a wait for another one leaves what is limited or was refused, and nothing else", () => {
    const away: Decision = { ...wait, to: 1 };
    const limited = failure("usage_limit", { scope: "credential", retryable: false, hintMs: 50 });
    expect(cooled(away, limited)).toEqual([[target, "credential", 1050]]);
    expect(cooled(away, failure("auth", { scope: "credential", retryable: false }))).toEqual([
      [target, "credential", 1700],
    ]);
    expect(cooled(away, failure("server", { scope: "provider" }))).toEqual([]);
  });

  test("E17: what no wait cures, a quota without a known end included, is reported with its kind", () => {
    const away: Decision = { ...wait, to: 1 };
    for (const kind of ["usage_limit", "auth", "permission", "not_found"] as const) {
      const refused = failure(kind, { scope: "credential", retryable: false });
      for (const decision of [rotate, move, away]) {
        expect(cooled(decision, refused, { knowsRefusals: true })).toEqual([[target, "credential", 1700, kind]]);
      }
    }
    const limited = failure("usage_limit", { scope: "credential", retryable: false });
    expect(cooled(rotate, { ...limited, hintMs: 50 }, { knowsRefusals: true })).toEqual([[target, "credential", 1050]]);
    // A health that can't remember that would make others wait for it.
    expect(cooled(rotate, limited)).toEqual([]);
  });

  test("E17: what is waited for cools down for as long as the endpoint named", () => {
    expect(cooled(wait, failure("rate_limit", { scope: "credential", hintMs: 50 }))).toEqual([
      [target, "credential", 1050],
    ]);
    expect(cooled(wait, failure("rate_limit", { scope: "model", hintMs: 50 }))).toEqual([[target, "model", 1050]]);
    expect(cooled(wait, failure("overloaded", { scope: "model", hintMs: 50 }))).toEqual([]);
    expect(cooled(wait, failure("overloaded", { scope: "model" }))).toEqual([]);
  });

  test.each<["rate_limit" | "usage_limit", Facts, number | undefined]>([
    ["usage_limit", {}, 1005],
    ["usage_limit", { hasOthers: false }, 1005],
    ["usage_limit", { when: "after-retries" }, undefined],
    ["rate_limit", {}, 1005],
    ["rate_limit", { when: "long-wait" }, 1005],
    ["rate_limit", { hasOthers: false }, undefined],
    ["rate_limit", { when: "after-retries" }, undefined],
  ])("S5: a %s that is waited for without a hint, %j: until %j", (kind, facts, untilMs) => {
    const told = untilMs === undefined ? [] : [[target, "credential", untilMs]];
    expect(cooled(wait, failure(kind, { scope: "credential" }), facts)).toEqual(told);
    const hinted = failure(kind, { scope: "credential", hintMs: 50 });
    expect(cooled(wait, hinted, { ...facts, honourHints: false })).toEqual(told);
  });

  const ends = (reason: StopReason): Decision => ({ type: "stop", reason, because: "" });

  test.each<[StopReason, "rate_limit" | "usage_limit", Facts, number | undefined, number | undefined]>([
    ["delay-cap", "usage_limit", {}, 1050, 1700],
    ["delay-cap", "rate_limit", {}, 1050, 1700],
    ["delay-cap", "rate_limit", { hasOthers: false }, 1050, undefined],
    ["delay-cap", "usage_limit", { when: "after-retries" }, 1050, undefined],
    ["retries-exhausted", "usage_limit", {}, 1050, 1700],
    ["retries-exhausted", "usage_limit", { hasOthers: false }, 1050, undefined],
    ["retries-exhausted", "rate_limit", {}, 1050, undefined],
    ["not-retryable", "usage_limit", {}, 1050, 1700],
    ["not-retryable", "usage_limit", { hasOthers: false }, undefined, undefined],
    ["hopeless", "usage_limit", { hasOthers: false }, undefined, undefined],
    ["already-streaming", "usage_limit", { hasOthers: false }, 1050, undefined],
    ["disabled", "usage_limit", {}, undefined, undefined],
    ["filtered", "usage_limit", {}, undefined, undefined],
  ])(
    "S5: a generation that ends as %s with a %s, %j: until %j, without a hint %j",
    (reason, kind, facts, hinted, not) => {
      const until = (ms: number | undefined): unknown[][] => (ms === undefined ? [] : [[target, "credential", ms]]);
      const limited = failure(kind, { scope: "credential" });
      expect(cooled(ends(reason), { ...limited, hintMs: 50 }, facts)).toEqual(until(hinted));
      expect(cooled(ends(reason), limited, facts)).toEqual(until(not));
    },
  );

  test("E17: a failure that ends a generation and is not a limit starts no cooldown", () => {
    for (const kind of ["server", "auth", "overloaded"] as const) {
      expect(cooled(ends("delay-cap"), failure(kind, { scope: "credential", hintMs: 50 }))).toEqual([]);
    }
    const overflow = failure("usage_limit", { scope: "credential", hintMs: 50 });
    expect(cooled({ type: "hand-over", because: "" }, overflow)).toEqual([]);
  });

  test("E17: a limit that few calls meet keeps no other call away, one that most meet does", () => {
    const limited = failure("rate_limit", { scope: "credential", hintMs: 50 });
    for (const decision of [wait, ends("retries-exhausted")]) {
      expect(cooled(decision, limited, { isRare: true })).toEqual([]);
      expect(cooled(decision, limited, { isRare: false })).toEqual([[target, "credential", 1050]]);
    }
  });

  test("E17: a limited credential that can be left is left out, however few calls meet the limit", () => {
    for (const kind of ["rate_limit", "usage_limit"] as const) {
      const limited = failure(kind, { scope: "credential", hintMs: 50 });
      for (const decision of [rotate, move, { ...wait, to: 1 }] as const) {
        expect(cooled(decision, limited, { isRare: true })).toEqual([[target, "credential", 1050]]);
      }
    }
  });

  test("E17: a model that is left over a failure that few calls meet stays for the others", () => {
    const sick = failure("server", { scope: "model", hintMs: 20 });
    expect(cooled(move, sick, { isRare: true })).toEqual([]);
    expect(cooled(move, sick, { isRare: false })).toEqual([[target, "model", 1020]]);
  });
});
