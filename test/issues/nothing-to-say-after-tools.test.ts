import type { LanguageModelV3GenerateResult, LanguageModelV3Prompt } from "@ai-sdk/provider";
import { generateText, stepCountIs, streamText, tool } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { receiptOf, resilientModel } from "../../src/adapters/ai-sdk/index.ts";
import { answer, type Part, partsOf, START, scripted, USAGE } from "../adapters/ai-sdk/scripted-model.ts";
import { PROMPT, QUICK, rejection } from "../adapters/ai-sdk/support.ts";

const CALL = { type: "tool-call" as const, toolCallId: "1", toolName: "note", input: "{}" };
const reason = (unified: "stop" | "tool-calls", raw: string) => ({ finishReason: { unified, raw } });
const empty = (raw: string): LanguageModelV3GenerateResult => ({ ...answer(""), content: [], ...reason("stop", raw) });
const calls: LanguageModelV3GenerateResult = { ...answer(""), content: [CALL], ...reason("tool-calls", "tool_use") };
const streamed = ({ content, finishReason }: LanguageModelV3GenerateResult): ReadableStream<Part> =>
  partsOf([START, ...(content as readonly Part[]), { type: "finish", usage: USAGE, finishReason }]);

let noted = 0;
const tools = {
  note: tool({
    inputSchema: z.object({}),
    execute: () => {
      noted += 1;
      return "noted";
    },
  }),
};
const asked = { prompt: "Write this down.", tools, stopWhen: stepCountIs(5) };

const AFTER_TOOLS: LanguageModelV3Prompt = [
  ...PROMPT.map(({ content }) => ({ role: "user" as const, content })),
  { role: "assistant", content: [{ type: "tool-call", toolCallId: "1", toolName: "note", input: {} }] },
  {
    role: "tool",
    content: [{ type: "tool-result", toolCallId: "1", toolName: "note", output: { type: "text", value: "noted" } }],
  },
];

describe("Claude ends its turn without a word", () => {
  test("E15b: after the results of tools, generateText has its answer", async () => {
    noted = 0;
    const model = scripted({ generate: [() => calls, () => empty("end_turn")] });
    const { steps, text } = await generateText({ ...asked, model: resilientModel(model, QUICK) });
    expect({ steps: steps.length, text, noted, calls: model.calls.length }).toEqual({
      ...{ steps: 2, text: "", noted: 1, calls: 2 },
    });
  });

  test("E15b: after the results of tools, streamText has its answer", async () => {
    const model = scripted({ stream: [() => streamed(calls), () => streamed(empty("end_turn"))] });
    const errors: unknown[] = [];
    const onError = ({ error }: { error: unknown }): void => void errors.push(error);
    const result = streamText({ ...asked, onError, model: resilientModel(model, QUICK) });
    expect((await result.steps).length).toBe(2);
    expect({ errors, calls: model.calls.length }).toEqual({ errors: [], calls: 2 });
  });

  test("E15b: after a question an end without a word is no answer", async () => {
    const model = scripted({ generate: [() => empty("end_turn")], stream: [() => streamed(empty("end_turn"))] });
    const resilient = resilientModel(model, QUICK);
    for (const asking of [resilient.doGenerate({ prompt: PROMPT }), resilient.doStream({ prompt: PROMPT })])
      expect(receiptOf(await rejection(asking))).toMatchObject({ attempts: 4, outcome: "retries-exhausted" });
  });

  test("E15b: an end without a word is no answer from a model whose empty answers are a known fault", async () => {
    const model = scripted({ generate: [() => empty("STOP"), () => answer("Done.")] });
    const { content } = await resilientModel(model, QUICK).doGenerate({ prompt: AFTER_TOOLS });
    expect(content).toEqual(answer("Done.").content);
  });
});
