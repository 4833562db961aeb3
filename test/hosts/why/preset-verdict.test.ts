import { describe, expect, test } from "vitest";
import { judgeProblem } from "../../../src/hosts/why/judge-problem.ts";
import { presetVerdicts } from "../../../src/hosts/why/preset-verdict.ts";
import type { Problem } from "../../../src/hosts/why/problem.ts";
import * as presets from "../../../src/presets/index.ts";

const verdictsOf = (problem: Problem): Record<string, string> =>
  Object.fromEntries(presetVerdicts(judgeProblem(problem, 0)).map(({ preset, verdict }) => [preset, verdict]));

describe("B1: what each preset would do is asked of the engine", () => {
  test("B1: a rate limit with a hint", () => {
    expect(verdictsOf({ status: 429, headers: { "retry-after": "30" } })).toEqual({
      default: "tries another key or model if there is one; else waits 30 s, then tries again (6 times at most)",
      tavern: "waits 30 s, then tries again (5 times at most)",
      session: "tries another key or model if there is one; else waits 30 s, then tries again (3 times at most)",
      patient: "waits 30 s, then tries again (21 times at most)",
      console: "waits 1 s, then tries again (as often as it takes)",
      background: "waits 30 s, then tries again (8 times at most)",
    });
  });

  test("E18: a hint over the cap stops where there is a cap", () => {
    expect(verdictsOf({ status: 429, headers: { "retry-after": "600" } })).toEqual({
      default: "tries another key or model if there is one; else stops: so long a wait is over its limit of 2 min",
      tavern: "waits 10 min, then tries again (5 times at most)",
      session: "tries another key or model if there is one; else stops: so long a wait is over its limit of 5 min",
      patient: "waits 10 min, then tries again (21 times at most)",
      console: "waits 1 s, then tries again (as often as it takes)",
      background: "tries another key or model if there is one; else waits 10 min, then tries again (8 times at most)",
    });
  });

  test("B1: a server error, where jitter makes the wait a range", () => {
    expect(verdictsOf({ status: 500 })).toEqual({
      default: "waits up to 1 s, then tries again (6 times at most)",
      tavern: "waits 1 s, then tries again (3 times at most)",
      session: "tries another model if there is one; else waits 2 s, then tries again (3 times at most)",
      patient: "waits 5 s, then tries again (21 times at most)",
      console: "stops: this preset does not retry it",
      background: "waits up to 2 s, then tries again (8 times at most)",
    });
  });

  test("B2: a used-up quota is not waited for, except where the preset promises to", () => {
    expect(verdictsOf({ status: 402, body: "Insufficient Balance" })).toEqual({
      default: "tries another key or model if there is one; else stops: trying again would not help",
      tavern: "tries another key or model if there is one; else stops: trying again would not help",
      session: "tries another key or model if there is one; else waits 2 s, then tries again (3 times at most)",
      patient: "tries another key or model if there is one; else stops: trying again would not help",
      console: "tries another key or model if there is one; else stops: trying again would not help",
      background: "tries another key or model if there is one; else stops: trying again would not help",
    });
  });

  test("B1: an overflow is handed over where there is somebody to hand it to", () => {
    expect(verdictsOf({ status: 400, body: "prompt is too long: 213462 tokens > 200000 maximum" })).toEqual({
      default: "hands over to compaction: the conversation has to get shorter",
      tavern: "stops: trying again would not help",
      session: "hands over to compaction: the conversation has to get shorter",
      patient: "hands over to compaction: the conversation has to get shorter",
      console: "stops: trying again would not help",
      background: "hands over to compaction: the conversation has to get shorter",
    });
  });

  test("B1: every preset there is has its word", () => {
    const made = Object.values(presets).flatMap((preset) => (typeof preset === "function" ? [preset().name] : []));
    expect(Object.keys(verdictsOf({ status: 500 })).sort()).toEqual(made.sort());
  });

  test("B1: a bad request stops everywhere", () => {
    const verdicts = Object.values(verdictsOf({ status: 400, body: "messages: field required" }));
    expect(new Set(verdicts)).toEqual(new Set(["stops: trying again would not help"]));
  });
});
