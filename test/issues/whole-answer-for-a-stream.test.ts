import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { streamText } from "ai";
import OpenAI from "openai";
import { describe, expect, onTestFinished, test } from "vitest";
import { receiptOf, resilientFetch } from "../../src/adapters/fetch/index.ts";
import { chatAnswer, sendJson, serve, type TestServer } from "../adapters/fetch/server.ts";
import { askRaw } from "../gateway/support/raw-request.ts";
import { endpointsAt, gatewayOfTest } from "../gateway/support/start-gateway.ts";

/** A server that sends JSON though a stream was asked for. */
async function sending(answer: unknown, headers: object = {}): Promise<TestServer> {
  const server = await serve((_, response) => sendJson(response, 200, answer, headers));
  onTestFinished(() => server.close());
  return server;
}

const messages = [{ role: "user" as const, content: "Hi" }];
const CALL = { id: "c1", type: "function", function: { name: "add", arguments: '{"x":1}' } };
const TOOL_ANSWER = {
  ...chatAnswer(""),
  choices: [
    { index: 0, message: { role: "assistant", content: null, tool_calls: [CALL] }, finish_reason: "tool_calls" },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
};
const MESSAGE = {
  id: "m1",
  type: "message",
  role: "assistant",
  model: "claude",
  content: [
    { type: "thinking", thinking: "Hm", signature: "abc=" },
    { type: "text", text: "Hello" },
    { type: "tool_use", id: "t1", name: "add", input: { x: 1 } },
  ],
  stop_reason: "tool_use",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 2 },
};
const RESPONSE = {
  id: "r1",
  object: "response",
  created_at: 1,
  model: "m",
  status: "completed",
  error: null,
  output: [
    { id: "i0", type: "reasoning", summary: [] },
    {
      id: "i1",
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Hello", annotations: [] }],
    },
    { id: "i2", type: "function_call", call_id: "c1", name: "add", arguments: '{"x":1}', status: "completed" },
  ],
  usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
};

const openai = (url: string): OpenAI =>
  new OpenAI({ apiKey: "k", baseURL: `${url}/v1`, maxRetries: 0, fetch: resilientFetch() });

describe("E15b: a whole answer that comes where a stream was asked for is no empty stream", () => {
  test("E15b: a chat completion is streamed", async () => {
    const { url } = await sending(chatAnswer("Hello"));
    const stream = openai(url).chat.completions.stream({ model: "m", messages });
    expect(await stream.finalContent()).toBe("Hello");
  });

  test("E15b: tool calls are streamed with their usage", async () => {
    const { url } = await sending(TOOL_ANSWER);
    const stream = openai(url).chat.completions.stream({ model: "m", messages });
    const { choices, usage } = await stream.finalChatCompletion();
    expect(choices[0]?.message.tool_calls).toMatchObject([CALL]);
    expect(usage).toEqual(TOOL_ANSWER.usage);
  });

  test("E15b: a text completion is streamed", async () => {
    const { url } = await sending({ object: "text_completion", choices: [{ index: 0, text: "Hello" }] });
    const texts: string[] = [];
    for await (const { choices } of await openai(url).completions.create({ model: "m", prompt: "Hi", stream: true }))
      texts.push(choices[0]?.text ?? "", choices[0]?.finish_reason ?? "");
    expect(texts).toEqual(["Hello", "stop"]);
  });

  test("E15b: a response is streamed", async () => {
    const { url } = await sending(RESPONSE);
    const stream = openai(url).responses.stream({ model: "m", input: "Hi" });
    const heard: string[] = [];
    stream.on("response.output_text.delta", ({ delta }) => heard.push(delta));
    stream.on("response.function_call_arguments.delta", ({ delta }) => heard.push(delta));
    const { output, output_text: text } = await stream.finalResponse();
    expect(heard).toEqual(["Hello", '{"x":1}']);
    expect(text).toBe("Hello");
    expect(output).toMatchObject(RESPONSE.output);
  });

  test("E15b: a message is streamed", async () => {
    const { url } = await sending(MESSAGE);
    const client = new Anthropic({ apiKey: "k", baseURL: url, maxRetries: 0, fetch: resilientFetch() });
    const stream = client.messages.stream({ model: "claude", max_tokens: 9, messages });
    expect(await stream.finalMessage()).toMatchObject(MESSAGE);
  });

  test("E15b: a message without usage and choices without an index are streamed", async () => {
    const { usage: _, ...message } = MESSAGE;
    const { url } = await sending(message);
    const client = new Anthropic({ apiKey: "k", baseURL: url, maxRetries: 0, fetch: resilientFetch() });
    const stream = client.messages.stream({ model: "claude", max_tokens: 9, messages });
    expect(await stream.finalMessage()).toMatchObject(message);
    const choice = { message: { role: "assistant", content: "Hello" }, finish_reason: "stop" };
    const chat = await sending({ choices: [choice] });
    expect(await openai(chat.url).chat.completions.stream({ model: "m", messages }).finalContent()).toBe("Hello");
  });

  test.each([
    ["one event", (event: object): unknown => event],
    ["a list", (event: object): unknown => [event]],
  ])("E15b: Gemini's candidates, sent as %s, are streamed", async (_, make) => {
    const { url } = await sending(
      make({ candidates: [{ content: { parts: [{ text: "Hello" }] }, finishReason: "STOP" }] }),
    );
    const client = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: url, fetch: resilientFetch() } });
    const texts: (string | undefined)[] = [];
    for await (const { text } of await client.models.generateContentStream({ model: "g", contents: "Hi" }))
      texts.push(text);
    expect(texts).toEqual(["Hello"]);
  });

  test.each([
    [
      "chat",
      chatAnswer("Hello"),
      (url: string) => createOpenAI({ apiKey: "k", baseURL: `${url}/v1`, fetch: resilientFetch() }).chat("m"),
    ],
    [
      "responses",
      RESPONSE,
      (url: string) => createOpenAI({ apiKey: "k", baseURL: `${url}/v1`, fetch: resilientFetch() }).responses("m"),
    ],
    [
      "messages",
      MESSAGE,
      (url: string) => createAnthropic({ apiKey: "k", baseURL: `${url}/v1`, fetch: resilientFetch() })("claude"),
    ],
  ])("E15b: the AI SDK reads the text of a whole answer: %s", async (_, answer, model) => {
    const { url } = await sending(answer);
    const { text, finishReason } = streamText({ model: model(url), prompt: "Hi", maxRetries: 0, maxOutputTokens: 9 });
    expect(await text).toBe("Hello");
    expect(["stop", "tool-calls"]).toContain(await finishReason);
  });

  test("E15b: the head of a streamed whole answer has the type of a stream and no length", async () => {
    const { url } = await sending(chatAnswer("Hello"), {
      "content-length": JSON.stringify(chatAnswer("Hello")).length,
    });
    const init = { method: "POST", body: '{"model":"m","stream":true}' };
    const response = await resilientFetch()(`${url}/v1/chat/completions`, init);
    expect(response).toMatchObject({ status: 200, url: `${url}/v1/chat/completions`, redirected: false });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("content-length")).toBeNull();
    expect(receiptOf(response)).toMatchObject({ complete: true, attempts: 1 });
    expect(await response.text()).toMatch(/^data: \{.*"delta":.*\}\n\ndata: \[DONE\]\n\n$/);
  });

  test("E16: required content is looked for in a streamed whole answer", async () => {
    const server = await serve((_, response, count) =>
      sendJson(response, 200, chatAnswer(count === 1 ? "No" : "It is DONE")),
    );
    onTestFinished(() => server.close());
    const fetch = resilientFetch({ require: { text: "DONE" } });
    const init = { method: "POST", body: '{"model":"m","stream":true}' };
    expect(await (await fetch(`${server.url}/v1/chat/completions`, init)).text()).toContain("It is DONE");
    expect(server.received).toHaveLength(2);
  });

  test("E14: an answer of no known format, and Gemini's list where no events were asked for, come as they are", async () => {
    const list = [{ candidates: [{ content: { parts: [{ text: "Hello" }] }, finishReason: "STOP" }] }];
    const gemini = await sending(list);
    const path = "/v1beta/models/g:streamGenerateContent";
    const asList = await resilientFetch()(`${gemini.url}${path}`, { method: "POST", body: "{}" });
    expect(await asList.json()).toEqual(list);
    const queued = { ...RESPONSE, status: "queued", output: [] };
    const background = await sending(queued);
    const init = { method: "POST", body: '{"model":"m","stream":true,"background":true}' };
    expect(await (await resilientFetch()(`${background.url}/v1/responses`, init)).json()).toEqual(queued);
  });
});

describe("E15b: the gateway streams it as well", () => {
  const ask = { headers: { authorization: "Bearer k" }, body: { model: "m", stream: true, messages } };

  test("E15b: the gateway sends a whole chat completion as an event stream, in its head too", async () => {
    const { url } = await sending(chatAnswer("Hello"));
    const { port } = await gatewayOfTest({ endpoints: endpointsAt(url) });
    const answer = await askRaw(port, "/v1/chat/completions", ask);
    expect(answer).toMatchObject({ status: 200, isWhole: true, headers: { "content-type": "text/event-stream" } });
    expect(answer.head.match(/content-type/gi)).toHaveLength(1);
    expect(answer.body.toString()).toMatch(/^data: \{.*"delta":.*\}\n\ndata: \[DONE\]\n\n$/);
  });

  test("E15b: the gateway streams a whole message of Claude on Vertex AI, where the path asks for a stream", async () => {
    const { url } = await sending(MESSAGE);
    const path = "/v1/projects/p/locations/global/publishers/anthropic/models/claude:streamRawPredict";
    const { port } = await gatewayOfTest({ endpoints: endpointsAt(url) });
    const body = { anthropic_version: "vertex-2023-10-16", messages, max_tokens: 9, stream: true };
    const answer = await askRaw(port, path, { headers: { authorization: "Bearer token" }, body });
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": "text/event-stream" } });
    expect(answer.body.toString()).toContain("event: message_stop");
  });

  test("E15b: Anthropic's SDK reads a whole message through the gateway", async () => {
    const { url } = await sending(MESSAGE);
    const { url: base } = await gatewayOfTest({ endpoints: endpointsAt(url) });
    const client = new Anthropic({ apiKey: "k", baseURL: base, maxRetries: 0 });
    expect(await client.messages.stream({ model: "claude", max_tokens: 9, messages }).finalMessage()).toMatchObject(
      MESSAGE,
    );
  });
});
