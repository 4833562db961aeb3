import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, streamText } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../../src/simulator/http/index.ts";
import { endpointsAt, QUICK, startGateway, type TestGateway } from "./support/start-gateway.ts";

let sim: Simulator;
let gateway: TestGateway;
beforeAll(async () => {
  sim = await startSimulator({ timeScale: 0, firstTokenMs: 0, tokenMs: 0 });
});
beforeEach(async () => {
  sim.reset();
  gateway = await startGateway({
    endpoints: endpointsAt(sim.url),
    policy: { ...QUICK, schedules: { general: { type: "fixed", delayMs: 1, atMost: 9 } } },
  });
  return () => gateway.close();
});
afterAll(() => sim.close());

const TEXT = "wind → 風 🌊";
const PROMPT = `echo: ${TEXT}`;
const messages = [{ role: "user" as const, content: PROMPT }];
const parameters = { type: "object" as const, properties: { city: { type: "string" } } };
const ASK_FOR_TOOL = 'call get_weather {"city":"Zürich"}';
const openai = (apiKey = "k"): OpenAI => new OpenAI({ apiKey, baseURL: `${gateway.url}/v1` });
const anthropic = (apiKey = "k"): Anthropic => new Anthropic({ apiKey, baseURL: gateway.url });
const google = (apiKey = "k"): GoogleGenAI => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: gateway.url } });
const aiOpenai = (apiKey = "k") => createOpenAI({ apiKey, baseURL: `${gateway.url}/v1` });

describe("E14: the SDKs with nothing but another base URL", () => {
  test("E14: OpenAI's gets answers, streams, tools, embeddings and models through refusals", async () => {
    const client = openai();
    const whole = await client.chat.completions.create({ model: "overloaded-twice", messages });
    expect(whole.choices[0]?.message.content).toBe(TEXT);
    sim.reset();
    const stream = client.chat.completions.stream({
      model: "overloaded-twice",
      messages: [{ role: "user", content: ASK_FOR_TOOL }],
      tools: [{ type: "function", function: { name: "get_weather", parameters } }],
      stream_options: { include_usage: true },
    });
    const answer = await stream.finalChatCompletion();
    expect(answer.choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { arguments: '{"city":"Zürich"}' } });
    expect(answer.usage?.total_tokens).toBeGreaterThan(0);
    sim.reset();
    const response = client.responses.stream({ model: "overloaded-twice", input: PROMPT });
    expect((await response.finalResponse()).output_text).toBe(TEXT);
    expect((await client.embeddings.create({ model: "ok", input: ["a", "b"] })).data).toHaveLength(2);
    expect((await client.models.list()).data.length).toBeGreaterThan(0);
  });

  test("E14: Anthropic's gets answers, streams, thinking and tools through refusals", async () => {
    const client = anthropic();
    const whole = await client.messages.create({ model: "overloaded-twice", messages, max_tokens: 100 });
    expect(whole.content).toMatchObject([{ type: "text", text: TEXT }]);
    sim.reset();
    const stream = client.messages.stream({
      model: "overloaded-twice",
      max_tokens: 3000,
      messages: [{ role: "user", content: ASK_FOR_TOOL }],
      tools: [{ name: "get_weather", input_schema: parameters }],
      thinking: { type: "enabled", budget_tokens: 1024 },
    });
    const { content, usage } = await stream.finalMessage();
    expect(content.map(({ type }) => type)).toEqual(expect.arrayContaining(["thinking", "tool_use"]));
    expect(usage.output_tokens).toBeGreaterThan(0);
    expect(sim.requests.map(({ status }) => status)).toEqual([529, 529, 200]);
  });

  test("E14: Google's gets answers and streams through refusals", async () => {
    const request = { model: "overloaded-twice", contents: PROMPT };
    expect((await google().models.generateContent(request)).text).toBe(TEXT);
    sim.reset();
    let text = "";
    for await (const chunk of await google().models.generateContentStream(request)) text += chunk.text ?? "";
    expect(text).toBe(TEXT);
    expect(sim.requests.map(({ status }) => status)).toEqual([503, 503, 200]);
  });

  test("E14: the AI SDK and LangChain get theirs, in three formats", async () => {
    const models = [
      aiOpenai()("overloaded-twice"),
      createAnthropic({ apiKey: "k", baseURL: `${gateway.url}/v1` })("overloaded-twice"),
      createGoogleGenerativeAI({ apiKey: "k", baseURL: `${gateway.url}/v1beta` })("overloaded-twice"),
    ];
    for (const model of models) {
      sim.reset();
      expect(await streamText({ model, prompt: PROMPT, maxRetries: 0 }).text).toBe(TEXT);
      sim.reset();
      expect((await generateText({ model, prompt: PROMPT, maxRetries: 0 })).text).toBe(TEXT);
    }
    sim.reset();
    const configuration = { baseURL: `${gateway.url}/v1` };
    const langchain = new ChatOpenAI({ apiKey: "k", model: "overloaded-twice", configuration });
    expect((await langchain.invoke(PROMPT)).content).toBe(TEXT);
  });

  test.each<[string, () => Promise<string>]>([
    [
      "OpenAI chat",
      async () => (await openai().chat.completions.stream({ model: "cut-2", messages }).finalContent()) ?? "",
    ],
    [
      "OpenAI responses",
      async () => (await openai().responses.stream({ model: "cut-2", input: PROMPT }).finalResponse()).output_text,
    ],
    ["Anthropic", () => anthropic().messages.stream({ model: "cut-2", messages, max_tokens: 100 }).finalText()],
    [
      "Google",
      async () => {
        let text = "";
        for await (const chunk of await google().models.generateContentStream({ model: "cut-2", contents: PROMPT }))
          text += chunk.text ?? "";
        return text;
      },
    ],
    [
      "the AI SDK",
      async () => streamText({ model: aiOpenai().chat("cut-2"), prompt: PROMPT, onError: () => undefined }).text,
    ],
  ])("E15b: a stream that is cut after content is an error for the SDK of %s, never a whole answer", async (_, ask) => {
    await expect(ask()).rejects.toThrow();
    expect(sim.requests).toHaveLength(1);
  });
});

describe("B3: retries do not multiply", () => {
  const STACKED: Readonly<Record<string, (apiKey: string) => Promise<unknown>>> = {
    openai: (apiKey) => openai(apiKey).chat.completions.create({ model: "down", messages }),
    "openai-streaming": (apiKey) => openai(apiKey).responses.create({ model: "down", input: PROMPT, stream: true }),
    anthropic: (apiKey) => anthropic(apiKey).messages.create({ model: "down", messages, max_tokens: 10 }),
    google: (apiKey) => google(apiKey).models.generateContent({ model: "down", contents: PROMPT }),
    "ai-sdk": (apiKey) => generateText({ model: aiOpenai(apiKey).chat("down"), prompt: PROMPT, maxRetries: 2 }),
    langchain: (apiKey) => {
      const configuration = { baseURL: `${gateway.url}/v1` };
      return new ChatOpenAI({ apiKey, model: "down", maxRetries: 2, configuration }).invoke(PROMPT);
    },
  };

  test("B3: an SDK with its own retries on top causes at most 1.2 times the calls of the gateway alone", async () => {
    const names = Object.keys(STACKED);
    const ended = await Promise.allSettled(names.map((name) => STACKED[name]?.(name)));
    expect(ended.map(({ status }) => status)).toEqual(names.map(() => "rejected"));
    for (const name of names) {
      const calls = sim.requests.filter(({ key }) => key === name).length;
      expect(calls, name).toBeGreaterThanOrEqual(10);
      expect(calls, name).toBeLessThanOrEqual(12);
    }
  });
});
