import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../../src/simulator/http/index.ts";
import { expectedWords, type FaultCase } from "./fault-case.ts";
import { FAULT_CASES } from "./fault-cases.ts";
import { QUICK } from "./run-matrix.ts";
import { clientOf, type Door, type Format } from "./support/clients.ts";
import type { Outcome } from "./support/outcome.ts";
import type { Probe } from "./support/probe.ts";
import { runCell } from "./support/run-cell.ts";

let sim: Simulator;
beforeAll(async () => {
  sim = await startSimulator({ timeScale: 0.01, firstTokenMs: 0, tokenMs: 0 });
});
afterAll(() => sim.close());

const EMPTY = "silent empty answer";
const HALF = "silent half answer";
const WRONG = "silent wrong answer";

/** What the simulator plays, and what is seen of it without Secondwind. `whole`: not streamed. */
type Pair = readonly [model: string, how: "streamed" | "whole", without: string];

const READS_NOTHING: readonly Pair[] = [
  ["fault-16-200@1", "streamed", EMPTY],
  ["fault-17@1", "streamed", EMPTY],
  ["fault-18@1", "streamed", EMPTY],
  ["fault-21-0@1", "streamed", EMPTY],
  ["fault-24@1", "streamed", EMPTY],
];
const STOPS_EARLY: readonly Pair[] = [
  ["fault-21", "streamed", HALF],
  ["fault-22", "streamed", HALF],
];
const IS_EMPTY: readonly Pair[] = [
  ["fault-41@1", "streamed", EMPTY],
  ["fault-41@1", "whole", EMPTY],
];
const OFFICIAL: readonly Pair[] = [
  ...[...READS_NOTHING, ...STOPS_EARLY, ...IS_EMPTY],
  ["fault-15", "whole", EMPTY],
  ["fault-16-200@1", "whole", EMPTY],
  ["fault-18@1", "whole", EMPTY],
  ["fault-26-early", "streamed", WRONG],
  ["fault-39", "streamed", WRONG],
];

const PAIRS: readonly (readonly [string, Door, Format, readonly Pair[]])[] = [
  ["openai", "fetch", "OpenAI chat", [...OFFICIAL, ["fault-39@1", "whole", WRONG]]],
  [
    "openai, responses",
    "fetch",
    "OpenAI responses",
    [
      ...[...READS_NOTHING.slice(0, 1), ...READS_NOTHING.slice(3), ...STOPS_EARLY, ...IS_EMPTY],
      ["fault-26", "streamed", WRONG],
      ["fault-35@1", "streamed", EMPTY],
      ["fault-36", "streamed", HALF],
      ["fault-39", "streamed", WRONG],
    ],
  ],
  ["@anthropic-ai/sdk", "fetch", "Anthropic", [...OFFICIAL, ["fault-26", "streamed", WRONG]]],
  [
    "@google/genai",
    "fetch",
    "Gemini",
    [
      ...IS_EMPTY,
      ["fault-17@1", "streamed", EMPTY],
      ["fault-18@1", "whole", EMPTY],
      ["fault-21-0@1", "streamed", EMPTY],
      ["fault-24-0@1", "streamed", EMPTY],
      ["fault-25-2", "streamed", WRONG],
      ["fault-26", "streamed", WRONG],
      ["fault-26-early", "streamed", WRONG],
      ["fault-18", "whole", EMPTY],
      ["fault-41", "whole", EMPTY],
    ],
  ],
  [
    "the AI SDK",
    "ai-sdk",
    "OpenAI chat",
    [
      ...[...READS_NOTHING, ...STOPS_EARLY, ...IS_EMPTY],
      ["fault-26", "streamed", WRONG],
      ["fault-26-early", "streamed", WRONG],
      ["fault-39", "streamed", WRONG],
    ],
  ],
];

function caseOf(model: string): FaultCase {
  const found = FAULT_CASES.find((one) => one.model === model);
  if (found === undefined) throw new Error(`No case for ${model}`);
  return found;
}

describe.each(PAIRS)("%s", (_name, door, format, pairs) => {
  const client = clientOf(door, format);
  const run = (probe: Probe, fault: FaultCase, isStreaming: boolean): Promise<Outcome> =>
    runCell({ probe, fault, isStreaming, place: { urls: sim.urls }, maxRetries: 0, limitMs: 15_000 });

  test.each(pairs)("E15b: %s, %s: alone a %s, with Secondwind the answer or an error", async (model, how, without) => {
    const fault = caseOf(model);
    const isStreaming = how === "streamed";
    expect((await run(client.bare, fault, isStreaming)).words).toBe(without);
    const { words, isSilentlyWrong } = await run(client.ours({ policy: QUICK }), fault, isStreaming);
    expect(isSilentlyWrong).toBe(false);
    expect(words).toBe(expectedWords(fault, { door, format, isStreaming }));
  });

  test("E15b: at least ten faults are silent without Secondwind", () => {
    expect(pairs.length).toBeGreaterThanOrEqual(10);
  });
});

/** Retries that make it worse. */
describe("wrong retries", () => {
  const bare = (format: Format, model: string) =>
    runCell({
      ...{ probe: clientOf("fetch", format).bare, fault: caseOf(model), isStreaming: true, maxRetries: 1 },
      ...{ place: { urls: sim.urls }, limitMs: 1000 },
    });

  test.each(["OpenAI chat", "Anthropic"] as const)(
    "E18: %s: a hint of hours makes the SDK wait for hours, and Secondwind fail at once",
    async (format) => {
      expect((await bare(format, "fault-51@1")).words).toBe("hangs");
      const { ours } = clientOf("fetch", format);
      const cell = { fault: caseOf("fault-51@1"), isStreaming: true, maxRetries: 0, place: { urls: sim.urls } };
      const { words } = await runCell({ ...cell, probe: ours({ policy: QUICK }), limitMs: 15_000 });
      expect(words).toBe("error: rate_limit");
    },
  );
});
