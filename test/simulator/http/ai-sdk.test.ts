import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import {
  APICallError,
  embedMany,
  generateObject,
  generateText,
  jsonSchema,
  type LanguageModel,
  streamText,
  type ToolSet,
} from "ai";
import { describe, expect, test } from "vitest";
import { ASK_TOOL, KEY, useSimulator, WEATHER_SCHEMA } from "./support.ts";

const world = useSimulator();
const openai = () => createOpenAI({ apiKey: KEY, baseURL: world.sim.urls.aiSdk.openai });
const anthropic = () => createAnthropic({ apiKey: KEY, baseURL: world.sim.urls.aiSdk.anthropic });
const google = () => createGoogleGenerativeAI({ apiKey: KEY, baseURL: world.sim.urls.aiSdk.google });

// The AI SDK's own types do not fit together under exactOptionalPropertyTypes.
const TOOLS = {
  get_weather: { description: "The weather", inputSchema: jsonSchema(WEATHER_SCHEMA as object) },
} as unknown as ToolSet;

// Otherwise it warns that it has never heard of our models.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const PROVIDERS: readonly (readonly [name: string, model: (id: string) => LanguageModel])[] = [
  ["@ai-sdk/openai (responses)", (id) => openai()(id)],
  ["@ai-sdk/openai (chat)", (id) => openai().chat(id)],
  ["@ai-sdk/anthropic", (id) => anthropic()(id)],
  ["@ai-sdk/google", (id) => google()(id)],
];

describe.each(PROVIDERS)("%s", (_name, model) => {
  test("B7: completes a streamed answer with a tool call and usage", async () => {
    const result = streamText({ model: model("ok"), prompt: ASK_TOOL, tools: TOOLS, maxRetries: 0 });
    expect(await result.text).toBe("Let me look that up.");
    expect(await result.finishReason).toBe("tool-calls");
    expect(await result.toolCalls).toMatchObject([{ toolName: "get_weather", input: { city: "Zürich", days: 2 } }]);
    expect((await result.usage).outputTokens).toBeGreaterThan(5);
  });

  test("B7: completes an answer without a stream", async () => {
    const result = await generateText({ model: model("ok"), prompt: ASK_TOOL, tools: TOOLS, maxRetries: 0 });
    expect(result).toMatchObject({ text: "Let me look that up.", finishReason: "tool-calls" });
    expect(result.toolCalls).toMatchObject([{ toolName: "get_weather", input: { city: "Zürich", days: 2 } }]);
  });

  test("B7: gets an object after a schema", async () => {
    const schema = jsonSchema<{ city: string }>({
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
    });
    const { object } = await generateObject({ model: model("ok"), prompt: "Hello", schema, maxRetries: 0 });
    expect(object).toMatchObject({ city: "Reykjavík" });
  });

  test.each(["rate-limited", "overloaded", "overflow", "server-error"])(
    "B7: throws an APICallError with status, headers and body for %s",
    async (id) => {
      const asking = generateText({ model: model(id), prompt: "Hello", maxRetries: 0 });
      const fault: unknown = await asking.catch((thrown: unknown) => thrown);
      expect(APICallError.isInstance(fault)).toBe(true);
      expect(fault).toMatchObject({ statusCode: expect.any(Number), responseBody: expect.stringContaining("error") });
    },
  );
});

test("B7: AI SDK providers get embeddings", async () => {
  const values = ["one", "two"];
  const first = await embedMany({ model: openai().embedding("ok"), values });
  const second = await embedMany({ model: google().embedding("ok"), values });
  expect(first.embeddings[0]).toEqual(second.embeddings[0]);
});
