import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV3Middleware, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { extractJsonMiddleware, streamText, tool, wrapLanguageModel } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { receiptIn, resilience, resilientModel } from "../../src/adapters/ai-sdk/index.ts";
import { QUICK } from "../adapters/ai-sdk/support.ts";
import { serve } from "../adapters/fetch/server.ts";

type Part = LanguageModelV3StreamPart;

const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const USAGE = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } };
/** What a server may send after all that counts. */
const STATISTICS = { type: "statistics", tokens_per_second: 9 };

async function modelOf(events: readonly object[]) {
  const server = await serve((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(
      [...events.map((event) => JSON.stringify(event)), "[DONE]"].map((data) => `data: ${data}\n\n`).join(""),
    );
  });
  return { server, model: createOpenAICompatible({ name: "box", baseURL: server.url, apiKey: "key-a" })("m") };
}

/** Looks at the whole answer before it gives it out. */
const HOLDS_ALL: LanguageModelV3Middleware = {
  specificationVersion: "v3",
  wrapStream: async ({ doStream }) => {
    const { stream, ...rest } = await doStream();
    const held: Part[] = [];
    const transform = new TransformStream<Part, Part>({
      transform: (part, controller) => {
        if (part.type === "raw") controller.enqueue(part);
        else held.push(part);
      },
      flush: (controller) => {
        for (const part of held) controller.enqueue(part);
      },
    });
    return { ...rest, stream: stream.pipeThrough(transform) };
  },
};

const JSON_TEXT = '{"sky": "blue", "sea": "green"}';

test.each([
  ["extractJsonMiddleware", extractJsonMiddleware()],
  ["one that holds everything", HOLDS_ALL],
])("E14: text that middleware below holds back to the end is not lost: %s", async (_name, middleware) => {
  const says = JSON_TEXT.match(/.{1,5}/g)?.map((content) => chunk({ content })) ?? [];
  const { server, model } = await modelOf([...says, chunk({}, "stop"), USAGE, STATISTICS]);
  const wrapped = wrapLanguageModel({ model, middleware: [resilience(QUICK), middleware] });
  const result = streamText({ model: wrapped, prompt: "?" });
  expect(await result.text).toBe(JSON_TEXT);
  expect(receiptIn(await result.providerMetadata)).toMatchObject({ complete: true, attempts: 1 });
  await server.close();
});

test("E14: a tool call that middleware below holds back is not lost, and a text after the end is still left out", async () => {
  const call = { index: 0, id: "c1", type: "function", function: { name: "get_weather", arguments: "{}" } };
  const late = chunk({ content: "late" });
  const { server, model } = await modelOf([chunk({ tool_calls: [call] }), chunk({}, "tool_calls"), USAGE]);
  const other = await modelOf([chunk({ content: "wind" }), chunk({}, "stop"), late, USAGE]);
  const tools = { get_weather: tool({ inputSchema: z.object({}), execute: () => "windy" }) };
  const holding = wrapLanguageModel({ model, middleware: HOLDS_ALL });
  const { toolCalls } = streamText({ model: resilientModel(holding, QUICK), tools, prompt: "?" });
  expect(await toolCalls).toMatchObject([{ toolName: "get_weather" }]);
  expect(await streamText({ model: resilientModel(other.model, QUICK), prompt: "?" }).text).toBe("wind");
  await Promise.all([server.close(), other.server.close()]);
});
