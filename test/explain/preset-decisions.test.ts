import { expect, test } from "vitest";
import { classifyError } from "../../src/explain/classify-error.ts";
import type { ErrorInput } from "../../src/explain/error-input.ts";
import { decisionOf, type PolicyDecision, presetDecisions } from "../../src/explain/preset-decisions.ts";
import { presetVerdicts, sayVerdict } from "../../src/explain/preset-verdict.ts";
import { definePolicy, FAILURE_KINDS } from "../../src/kernel/index.ts";

function decisions(problem: ErrorInput): Record<string, Omit<PolicyDecision, "preset">> {
  const all = presetDecisions(classifyError(problem, 0));
  return Object.fromEntries(all.map(({ preset, ...decision }) => [preset, decision]));
}

test("B1: a decision as data has the range of the wait, the limits and where else the preset would go", () => {
  expect(decisions({ status: 500 })).toMatchObject({
    default: {
      elsewhere: [],
      action: { type: "retry", leastMs: 0, mostMs: 1000, maxRetries: null, patienceMs: 300_000 },
    },
    session: {
      elsewhere: ["model"],
      action: { type: "retry", leastMs: 2000, mostMs: 2000, maxRetries: 3, patienceMs: null },
    },
    console: { elsewhere: [], action: { type: "stop", reason: "not-retryable", isHopeless: false } },
  });
});

test("E18: a decision as data has the cap that a hint exceeds", () => {
  expect(decisions({ status: 429, headers: { "retry-after": "600" } })).toMatchObject({
    default: { elsewhere: ["key", "model"], action: { type: "stop", reason: "delay-cap", capMs: 120_000 } },
    patient: { elsewhere: [], action: { type: "retry", leastMs: 600_000, mostMs: 600_000, maxRetries: 21 } },
  });
});

test("B1: decisions are plain JSON, and the English verdicts are made from them", () => {
  const failure = classifyError({ status: 529 }, 0);
  const sent = JSON.parse(JSON.stringify(presetDecisions(failure))) as PolicyDecision[];
  expect(sent.map((one) => ({ preset: one.preset, verdict: sayVerdict(one) }))).toEqual(presetVerdicts(failure));
});

test.each(FAILURE_KINDS)("B1: an own policy has a decision about %s", (kind) => {
  const failure = { ...classifyError({ status: 503 }, 0), kind };
  const { preset, action } = decisionOf(definePolicy({ name: "mine" }), failure);
  expect(preset).toBe("mine");
  expect(["retry", "stop", "hand-over"]).toContain(action.type);
});
