import { describe, expect, test } from "vitest";
import { classifyError } from "../../src/explain/classify-error.ts";
import type { ErrorInput } from "../../src/explain/error-input.ts";
import { presetVerdicts } from "../../src/explain/preset-verdict.ts";
import * as presets from "../../src/presets/index.ts";

const verdictsOf = (problem: ErrorInput): Record<string, string> =>
  Object.fromEntries(presetVerdicts(classifyError(problem, 0)).map(({ preset, verdict }) => [preset, verdict]));

describe("B1: the verdict of each preset comes from the engine", () => {
  test("B1: a rate limit with a hint", () => {
    expect(verdictsOf({ status: 429, headers: { "retry-after": "30" } })).toEqual({
      default:
        "tries another key or model if available; otherwise waits 30 s, then retries (for up to 5 min of waiting)",
      tavern: "waits 30 s, then retries (at most 5 times)",
      session: "tries another key or model if available; otherwise waits 30 s, then retries (at most 3 times)",
      patient: "waits 30 s, then retries (at most 21 times)",
      console: "waits 1 s, then retries (without a limit)",
      background: "waits 30 s, then retries (for up to 30 min of waiting)",
    });
  });

  test("E18: a hint over the cap stops the presets that have a cap", () => {
    expect(verdictsOf({ status: 429, headers: { "retry-after": "600" } })).toEqual({
      default: "tries another key or model if available; otherwise stops: the wait exceeds its limit of 2 min",
      tavern: "tries another key or model if available; otherwise stops: the wait exceeds its limit of 5 min",
      session: "tries another key or model if available; otherwise stops: the wait exceeds its limit of 5 min",
      patient: "waits 10 min, then retries (at most 21 times)",
      console: "waits 1 s, then retries (without a limit)",
      background:
        "tries another key or model if available; otherwise waits 10 min, then retries (for up to 30 min of waiting)",
    });
  });

  test("B1: a server error, where jitter makes the wait a range", () => {
    expect(verdictsOf({ status: 500 })).toEqual({
      default: "waits up to 1 s, then retries (for up to 5 min of waiting)",
      tavern: "waits 1 s, then retries (at most 3 times)",
      session: "tries another model if available; otherwise waits 2 s, then retries (at most 3 times)",
      patient: "waits 5 s, then retries (at most 21 times)",
      console: "stops: this preset does not retry it",
      background: "waits up to 2 s, then retries (for up to 30 min of waiting)",
    });
  });

  test("B2: no preset waits for a used-up quota unless it promises to", () => {
    expect(verdictsOf({ status: 402, body: "Insufficient Balance" })).toEqual({
      default: "tries another key or model if available; otherwise stops: a retry would not help",
      tavern: "tries another key or model if available; otherwise stops: a retry would not help",
      session: "tries another key or model if available; otherwise stops: a retry would not help",
      patient: "tries another key or model if available; otherwise stops: a retry would not help",
      console: "tries another key or model if available; otherwise stops: a retry would not help",
      background: "tries another key or model if available; otherwise stops: a retry would not help",
    });
  });

  test("B1: an overflow is handed over to compaction where the preset has it", () => {
    expect(verdictsOf({ status: 400, body: "prompt is too long: 213462 tokens > 200000 maximum" })).toEqual({
      default: "hands over to compaction, which shortens the conversation",
      tavern: "stops: a retry would not help",
      session: "hands over to compaction, which shortens the conversation",
      patient: "hands over to compaction, which shortens the conversation",
      console: "stops: a retry would not help",
      background: "hands over to compaction, which shortens the conversation",
    });
  });

  test("B1: every preset has a verdict", () => {
    const made = Object.values(presets).flatMap((preset) => (typeof preset === "function" ? [preset().name] : []));
    expect(Object.keys(verdictsOf({ status: 500 })).sort()).toEqual(made.sort());
  });

  test("B1: a bad request stops everywhere", () => {
    const verdicts = Object.values(verdictsOf({ status: 400, body: "messages: field required" }));
    expect(new Set(verdicts)).toEqual(new Set(["stops: a retry would not help"]));
  });
});
