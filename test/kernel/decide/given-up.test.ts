import { describe, expect, test } from "vitest";
import { decide } from "../../../src/kernel/decide/decide.ts";
import { FAILURE_KINDS } from "../../../src/kernel/model/failure.ts";
import {
  backgroundPolicy,
  consolePolicy,
  defaultPolicy,
  sessionPolicy,
  tavernPolicy,
} from "../../../src/presets/index.ts";
import { CHAIN, failure, situation } from "./situations.ts";

const below = { calls: 5, outcome: "retries-exhausted" };
const presets = [defaultPolicy(), sessionPolicy(), tavernPolicy(), consolePolicy(), backgroundPolicy()];
const scopes = ["request", "credential", "model", "provider"] as const;
const givenUp = presets.flatMap((policy) =>
  FAILURE_KINDS.flatMap((kind) => scopes.map((scope) => ({ policy, failure: failure(kind, { scope, below }) }))),
);

describe("what a layer below has given up", () => {
  test("B3: is never retried on the same target, whatever the preset, the kind and the scope", () => {
    for (const given of givenUp) {
      for (const chain of [undefined, CHAIN]) {
        const decision = decide(situation({ ...given, ...(chain !== undefined && { chain }) }));
        if ("to" in decision) expect(decision.to).not.toBe(0);
        else expect(["stop", "hand-over"]).toContain(decision.type);
      }
    }
  });

  test("B3: goes to the next model at once, because the layer below knew nothing of it", () => {
    const overloaded = failure("overloaded", { scope: "model", below });
    expect(decide(situation({ chain: CHAIN, failure: overloaded }))).toEqual({
      type: "switch",
      to: 2,
      schedule: 0,
      because: "the layer below has given up after 5 calls",
    });
  });

  test("B3: tries another credential if the credential was at fault", () => {
    const limited = failure("rate_limit", { scope: "credential", below: { ...below, calls: 1 } });
    expect(decide(situation({ chain: CHAIN, failure: limited }))).toMatchObject({
      type: "rotate",
      to: 1,
      because: "the layer below has given up after 1 call",
    });
  });

  test("B3: waits for another target, and ends if there is none", () => {
    const overloaded = failure("overloaded", { scope: "model", below });
    expect(decide(situation({ chain: CHAIN, failure: overloaded, blockedMs: { 2: 3000, 3: 2000 } }))).toMatchObject({
      type: "wait",
      to: 3,
      delayMs: 2000,
    });
    expect(decide(situation({ chain: CHAIN, failure: overloaded, standing: { spent: [2, 3] } }))).toEqual({
      type: "stop",
      reason: "given-up-below",
      because: "the layer below has given up after 5 calls",
    });
  });

  test("B3: a move that counts needs a retry to be left", () => {
    const policy = {
      schedules: { general: { type: "fixed", delayMs: 1, atMost: 0 } },
      fallback: { when: "immediate", movesCount: true },
    } as const;
    const overloaded = failure("overloaded", { scope: "model", below });
    expect(decide(situation({ chain: CHAIN, failure: overloaded, policy }))).toMatchObject({
      reason: "given-up-below",
    });
  });

  test.each(["overloaded", "auth"] as const)("B3: a person who gave up below ends %s everywhere", (kind) => {
    const given = failure(kind, { below: { calls: 1, outcome: "gave-up" } });
    expect(decide(situation({ chain: CHAIN, failure: given }))).toMatchObject({ type: "stop", reason: "gave-up" });
  });

  test("B3: an abort stays an abort", () => {
    const aborted = failure("aborted", { below: { calls: 3, outcome: "aborted" } });
    expect(decide(situation({ failure: aborted }))).toMatchObject({ reason: "aborted" });
  });
});
