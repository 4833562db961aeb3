import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { ChatOpenAI } from "@langchain/openai";
import { generateText } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { receiptOf, resilientFetch } from "../../../src/adapters/fetch/index.ts";
import { type Simulator, startSimulator } from "../../../src/simulator/http/index.ts";
import { useWay, WAYS } from "./ways.ts";

let sim: Simulator;
beforeAll(async () => {
  sim = await startSimulator({ timeScale: 0.01, firstTokenMs: 0, tokenMs: 0 });
});
beforeEach(() => sim.reset());
afterAll(() => sim.close());

const QUICK = {
  schedules: { general: { type: "fixed", delayMs: 1, atMost: 3 } },
  budget: null,
  breaker: null,
} as const;
const messages = [{ role: "user" as const, content: "echo: wind → 風 🌊" }];
const statuses = (): readonly (number | undefined)[] => sim.requests.map(({ status }) => status);

describe.each(WAYS)("resilientFetch under an SDK, by %s", (way) => {
  useWay(way);

  test("E14: OpenAI's SDK gets its answer and its stream through two refusals", async () => {
    const client = new OpenAI({ apiKey: "k", baseURL: sim.urls.openai, fetch: resilientFetch(QUICK), maxRetries: 0 });
    const whole = await client.chat.completions.create({ model: "overloaded-twice", messages });
    expect(whole.choices[0]?.message.content).toBe("wind → 風 🌊");
    sim.reset();
    let text = "";
    for await (const chunk of await client.chat.completions.create({
      model: "overloaded-twice",
      messages,
      stream: true,
    }))
      text += chunk.choices[0]?.delta.content ?? "";
    expect(text).toBe("wind → 風 🌊");
    expect(statuses()).toEqual([503, 503, 200]);
    sim.reset();
    const response = await client.responses.create({ model: "overloaded-twice", input: "echo: hello" });
    expect(response.output_text).toBe("hello");
    const { data } = await client.embeddings.create({ model: "ok", input: ["a", "b"] });
    expect(data).toHaveLength(2);
  });

  test("E14: Anthropic's SDK gets its answer and its stream through two refusals", async () => {
    const fetch = resilientFetch(QUICK);
    const client = new Anthropic({ apiKey: "k", baseURL: sim.urls.anthropic, fetch, maxRetries: 0 });
    const whole = await client.messages.create({ model: "overloaded-twice", messages, max_tokens: 100 });
    expect(whole.content).toMatchObject([{ type: "text", text: "wind → 風 🌊" }]);
    sim.reset();
    const stream = client.messages.stream({ model: "overloaded-twice", messages, max_tokens: 100 });
    expect(await stream.finalText()).toBe("wind → 風 🌊");
    expect(statuses()).toEqual([529, 529, 200]);
  });

  test("E14: Google's SDK gets its answer and its stream, if the global fetch is ours", async () => {
    const plain = globalThis.fetch;
    globalThis.fetch = resilientFetch(QUICK, { fetch: plain });
    try {
      const client = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: sim.urls.gemini } });
      const request = { model: "overloaded-twice", contents: "echo: hello" };
      expect((await client.models.generateContent(request)).text).toBe("hello");
      sim.reset();
      let text = "";
      for await (const chunk of await client.models.generateContentStream(request)) text += chunk.text ?? "";
      expect(text).toBe("hello");
      expect(statuses()).toEqual([503, 503, 200]);
    } finally {
      globalThis.fetch = plain;
    }
  });

  test("E14: Google's SDK takes the fetch as an option too", async () => {
    const httpOptions = { baseUrl: sim.urls.gemini, fetch: resilientFetch(QUICK) };
    const client = new GoogleGenAI({ apiKey: "k", httpOptions });
    const request = { model: "overloaded-twice", contents: "echo: hello" };
    expect((await client.models.generateContent(request)).text).toBe("hello");
    expect(statuses()).toEqual([503, 503, 200]);
  });

  test("E14: a provider of the AI SDK and LangChain get theirs", async () => {
    const openai = createOpenAI({ apiKey: "k", baseURL: sim.urls.aiSdk.openai, fetch: resilientFetch(QUICK) });
    const { text } = await generateText({ model: openai("overloaded-twice"), prompt: "echo: hello", maxRetries: 0 });
    expect(text).toBe("hello");
    sim.reset();
    const model = new ChatOpenAI({
      apiKey: "k",
      model: "overloaded-twice",
      maxRetries: 0,
      configuration: { baseURL: sim.urls.openai, fetch: resilientFetch(QUICK) },
    });
    expect((await model.invoke("echo: hello")).content).toBe("hello");
    expect(statuses()).toEqual([503, 503, 200]);
  });

  test("E15b: a tool call, reasoning and usage come through as they are", async () => {
    const client = new OpenAI({ apiKey: "k", baseURL: sim.urls.openai, fetch: resilientFetch(QUICK), maxRetries: 0 });
    const parameters = { type: "object", properties: { city: { type: "string" } } };
    const stream = client.chat.completions.stream({
      model: "ok",
      messages: [{ role: "user", content: 'call get_weather {"city":"Zürich"}' }],
      tools: [{ type: "function", function: { name: "get_weather", parameters } }],
      stream_options: { include_usage: true },
    });
    const answer = await stream.finalChatCompletion();
    expect(answer.choices[0]?.message.tool_calls?.[0]).toMatchObject({
      function: { name: "get_weather", arguments: '{"city":"Zürich"}' },
    });
    expect(answer.usage?.total_tokens).toBeGreaterThan(0);
  });
});

describe.each(WAYS)("what the SDK throws, by %s", (way) => {
  useWay(way);

  test("B3: a used-up quota is the SDK's own error after one call, and says not to retry", async () => {
    const client = new OpenAI({ apiKey: "k", baseURL: sim.urls.openai, fetch: resilientFetch(QUICK) });
    const error = await client.chat.completions
      .create({ model: "quota", messages })
      .catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    const { headers, message } = error as InstanceType<typeof OpenAI.APIError>;
    expect(message).toContain("exceeded your current quota");
    expect(headers?.get("x-should-retry")).toBe("false");
    expect(headers?.get("x-secondwind-outcome")).toBe("not-retryable");
    expect(sim.requests).toHaveLength(1);
  });

  test("B3: an endpoint that stays down is called as often as the policy says, whatever the SDK would add", async () => {
    const client = new OpenAI({ apiKey: "k", baseURL: sim.urls.openai, fetch: resilientFetch(QUICK) });
    const error = await client.chat.completions
      .create({ model: "down", messages })
      .catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    const { headers } = error as InstanceType<typeof OpenAI.APIError>;
    expect(headers?.get("x-secondwind-attempts")).toBe("4");
    expect(sim.requests).toHaveLength(4);
  });

  test("B3: a request that was given up and comes back unchanged gets one attempt, and a new request all of them", async () => {
    const client = new OpenAI({ apiKey: "k", baseURL: sim.urls.openai, fetch: resilientFetch(QUICK), maxRetries: 0 });
    const ask = (content: string): Promise<unknown> =>
      client.chat.completions.create({ model: "down", messages: [{ role: "user", content }] }).catch(() => undefined);
    await ask("one");
    expect(sim.requests).toHaveLength(4);
    await ask("one");
    expect(sim.requests).toHaveLength(5);
    await ask("two");
    expect(sim.requests).toHaveLength(9);
  });

  test("E15b: a stream without its terminal marker ends in an error, not as a whole answer", async () => {
    const client = new OpenAI({ apiKey: "k", baseURL: sim.urls.openai, fetch: resilientFetch(QUICK), maxRetries: 0 });
    let text = "";
    const reading = (async () => {
      for await (const chunk of await client.chat.completions.create({ model: "fault-37", messages, stream: true }))
        text += chunk.choices[0]?.delta.content ?? "";
    })();
    await expect(reading).rejects.toThrow(/ended without its terminal marker/);
    expect(text).not.toBe("");
    const error: unknown = await reading.catch((problem: unknown) => problem);
    expect(receiptOf(error)).toMatchObject({ complete: false, truncated: true, outcome: "already-streaming" });
  });

  test("E13: an abort by the caller ends a wait at once, and nothing more is sent", async () => {
    const fetch = resilientFetch({ schedules: { general: { type: "fixed", delayMs: 60_000, atMost: 3 } } });
    const client = new OpenAI({ apiKey: "k", baseURL: sim.urls.openai, fetch, maxRetries: 0 });
    const controller = new AbortController();
    fetch.subscribe(({ type }) => {
      if (type === "wait-start") controller.abort();
    });
    const asked = client.chat.completions.create({ model: "down", messages }, { signal: controller.signal });
    await expect(asked).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    expect(sim.requests).toHaveLength(1);
  });
});
