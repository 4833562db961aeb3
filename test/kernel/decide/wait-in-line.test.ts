import { describe, expect, test } from "vitest";
import { decide } from "../../../src/kernel/decide/decide.ts";
import type { PolicyInput } from "../../../src/kernel/decide/define-policy.ts";
import type { Decision } from "../../../src/kernel/model/decision.ts";
import { CHAIN, failure, type Given, healthOf, situation } from "./situations.ts";

const NOW_MS = 1_000_000;
const policy = {
  schedules: { general: { type: "fixed", delayMs: 1, atMost: 3 } },
  maxDelayMs: 60_000,
  patienceMs: 10_000,
  breaker: {},
  budget: {},
} as const satisfies PolicyInput;
const limited = failure("rate_limit", { status: 429, hintMs: 2000 });

/** Limited after its last retry, while the target has answered others at this time. */
function decided(given: Given, answeredMs: number | undefined = NOW_MS): Decision {
  const health = { ...healthOf(CHAIN, {}), limitOf: () => ({ leftMs: 0, answeredMs }) };
  return decide(situation({ policy, failure: limited, standing: { used: [3] }, health, ...given }));
}

const line = (delayMs: number): Decision => ({
  type: "wait",
  delayMs,
  to: 0,
  schedule: -1,
  because: "the limit has a known end, and the target answers others",
});
const usedUp: Decision = { type: "stop", reason: "retries-exhausted", because: "every retry is used up" };

describe("B5: limited again after the last retry", () => {
  test("B5: waits in line while the target answers others, and uses up no retry", () => {
    expect(decided({})).toEqual(line(2000));
    expect(decided({}, NOW_MS - 10_000)).toEqual(line(2000));
  });

  test("B5: waits at least a second, however short the hint is", () => {
    expect(decided({ failure: { ...limited, hintMs: 1 } })).toEqual(line(1000));
  });

  test("B5: ends when the patience is over, whatever it was used up by", () => {
    expect(decided({ standing: { used: [3], patienceUsedMs: 8000 } })).toEqual(line(2000));
    expect(decided({ standing: { used: [3], patienceUsedMs: 8001 } })).toEqual(usedUp);
  });

  test("B5: without a limit in time, ends after two minutes in line", () => {
    const endless = { ...policy, patienceMs: null };
    const used = [3];
    expect(decided({ policy: endless, standing: { used, inLineMs: 118_000, patienceUsedMs: 1e9 } })).toEqual(
      line(2000),
    );
    expect(decided({ policy: endless, standing: { used, inLineMs: 118_001 } })).toEqual(usedUp);
    expect(decided({ policy: endless }, NOW_MS - 120_000)).toEqual(line(2000));
    expect(decided({ policy: endless }, NOW_MS - 120_001)).toEqual(usedUp);
  });

  test("B5: ends when the target has not answered within the patience, or never", () => {
    expect(decided({}, NOW_MS - 10_001)).toEqual(usedUp);
    expect(decided({ health: healthOf(CHAIN, {}) })).toEqual(usedUp);
    const neverAnswered = { ...healthOf(CHAIN, {}), limitOf: () => ({ leftMs: 0, answeredMs: undefined }) };
    expect(decided({ health: neverAnswered })).toEqual(usedUp);
  });

  test.each<[string, Given]>([
    ["the failure is another", { failure: failure("overloaded", { status: 529, hintMs: 2000 }) }],
    ["the limit has no known end", { failure: failure("rate_limit", { status: 429 }) }],
    ["hints are not honoured", { policy: { ...policy, honourHints: false } }],
    ["there is no breaker, so no ramp spreads the calls", { policy: { ...policy, breaker: null } }],
    ["the wait is over the cap", { policy: { ...policy, maxDelayMs: 1999 } }],
    [
      "the policy allows no retry",
      {
        policy: { ...policy, schedules: { general: { type: "fixed", delayMs: 1, atMost: 0 } } },
        standing: { used: [0] },
      },
    ],
  ])("B5: ends if %s", (_, given) => {
    expect(decided(given)).toEqual(usedUp);
  });

  test("E17: prefers another target that is free", () => {
    const fallback = { when: "after-retries" } as const;
    expect(decided({ chain: CHAIN, policy: { ...policy, fallback } })).toMatchObject({ type: "switch", to: 2 });
  });
});
