import { describe, expect, test } from "vitest";
import { definePolicy } from "../../../src/kernel/decide/define-policy.ts";
import { coolDown } from "../../../src/kernel/enact/cool-down.ts";
import type { Health } from "../../../src/kernel/health/health.ts";
import type { Decision } from "../../../src/kernel/model/decision.ts";
import type { Failure } from "../../../src/kernel/model/failure.ts";
import { failure } from "../decide/situations.ts";

const target = { provider: "a", model: "m", credential: "k" };
const rotate: Decision = { type: "rotate", to: 1, schedule: 0, because: "" };
const move: Decision = { type: "switch", to: 1, schedule: 0, because: "" };
const wait: Decision = { type: "wait", to: 0, schedule: 0, delayMs: 5, because: "" };

function cooled(decision: Decision, failed: Failure, honourHints = true): unknown[][] {
  const told: unknown[][] = [];
  const health = { coolDown: (...said: unknown[]) => told.push(said) } as unknown as Health;
  const policy = definePolicy({ honourHints, fallback: { cooldownMs: 700 } });
  coolDown({ health, target, failure: failed, policy, decision, nowMs: 1000 });
  return told;
}

describe("E17: what cools down", () => {
  test("E17: a limited credential that is rotated away cools down for as long as the endpoint says", () => {
    const limited = failure("usage_limit", { scope: "credential" });
    expect(cooled(rotate, { ...limited, hintMs: 50 })).toEqual([[target, "credential", 1050]]);
    expect(cooled(rotate, limited)).toEqual([[target, "credential", 1700]]);
    expect(cooled(rotate, { ...limited, hintMs: 50 }, false)).toEqual([[target, "credential", 1700]]);
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

  test("E17: what is waited for cools down only if the endpoint named a time for the credential", () => {
    expect(cooled(wait, failure("rate_limit", { scope: "credential", hintMs: 50 }))).toEqual([
      [target, "credential", 1050],
    ]);
    expect(cooled(wait, failure("rate_limit", { scope: "credential", hintMs: 50 }), false)).toEqual([]);
    expect(cooled(wait, failure("rate_limit", { scope: "credential" }))).toEqual([]);
    expect(cooled(wait, failure("overloaded", { scope: "model", hintMs: 50 }))).toEqual([]);
  });
});
