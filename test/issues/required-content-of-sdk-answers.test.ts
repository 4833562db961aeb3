import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { generateObject, generateText, streamText } from "ai";
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { InvalidInput, type PolicyInput, resilient, SecondwindError, stream } from "../../src/index.ts";
import { read } from "../support/world.ts";

/** What the loopback server says next: each form holds these as its provider writes them. */
interface Said {
  readonly text: string | null;
  readonly reasoning?: string;
}

const GOOD: Said = { text: "The sky is BLUE.", reasoning: "Hm." };
const ONLY_THOUGHT: Said = { text: "Cannot say.", reasoning: "It is BLUE, I think." };
const TOOL_ONLY: Said = { text: null };
const POLICY: PolicyInput = {
  require: { text: "BLUE" },
  schedules: { general: { type: "fixed", delayMs: 0, atMost: 1 } },
};

let server: Server;
let base = "";
const script: Said[] = [];
let calls = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    const said = script[Math.min(calls++, script.length - 1)] as Said;
    const form = FORMS.find(({ path }) => (request.url ?? "").includes(path));
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const isStream = /"stream":\s*true/.test(body) || (request.url ?? "").includes("streamGenerate");
      response.setHeader("content-type", isStream ? "text/event-stream" : "application/json");
      if (!isStream) return response.end(JSON.stringify(form?.whole(said)));
      for (const event of form?.events(said) ?? []) {
        const type = (event as { type?: string }).type;
        response.write(`${type === undefined ? "" : `event: ${type}\n`}data: ${JSON.stringify(event)}\n\n`);
      }
      return response.end(form?.path === "/chat/completions" ? "data: [DONE]\n\n" : "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());
afterEach(() => {
  script.length = 0;
  calls = 0;
});

const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
const TOOL = { id: "t1", type: "function", function: { name: "look", arguments: "{}" } };

/** The wire formats: a whole answer and the events of a stream. */
const FORMS = [
  {
    path: "/chat/completions",
    whole: ({ text, reasoning }: Said) => ({
      id: "c",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [
        {
          index: 0,
          finish_reason: text === null ? "tool_calls" : "stop",
          message: {
            role: "assistant",
            content: text,
            ...(reasoning !== undefined && { reasoning_content: reasoning }),
            ...(text === null && { tool_calls: [TOOL] }),
          },
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
    events: ({ text, reasoning }: Said) => {
      const chunk = (delta: object, finish_reason: string | null = null) => ({
        ...{ id: "c", object: "chat.completion.chunk", created: 1, model: "m" },
        choices: [{ index: 0, delta, finish_reason }],
      });
      return [
        chunk({ role: "assistant", content: "" }),
        ...(reasoning === undefined ? [] : [chunk({ reasoning_content: reasoning })]),
        ...(text === null
          ? [chunk({ tool_calls: [{ index: 0, ...TOOL }] })]
          : halves(text).map((content) => chunk({ content }))),
        chunk({}, text === null ? "tool_calls" : "stop"),
        { ...chunk({}), choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
      ];
    },
  },
  {
    path: "/responses",
    whole: (said: Said) => responseOf(said, "completed"),
    events: (said: Said) => [
      { type: "response.created", sequence_number: 0, response: responseOf(said, "in_progress") },
      ...(said.reasoning === undefined
        ? []
        : [
            {
              type: "response.reasoning_summary_text.delta",
              item_id: "r",
              output_index: 0,
              summary_index: 0,
              delta: said.reasoning,
            },
          ]),
      ...halves(said.text ?? "").map((delta) => ({
        ...{ type: "response.output_text.delta", item_id: "m", output_index: 1, content_index: 0, delta, logprobs: [] },
      })),
      { type: "response.output_text.done", item_id: "m", output_index: 1, content_index: 0, text: said.text ?? "" },
      { type: "response.completed", sequence_number: 9, response: responseOf(said, "completed") },
    ],
  },
  {
    path: "/v1/messages",
    whole: ({ text, reasoning }: Said) => ({
      ...{ id: "m", type: "message", role: "assistant", model: "m", stop_sequence: null, usage: USAGE },
      stop_reason: text === null ? "tool_use" : "end_turn",
      content: [
        ...(reasoning === undefined ? [] : [{ type: "thinking", thinking: reasoning, signature: "s" }]),
        text === null ? { type: "tool_use", id: "t1", name: "look", input: {} } : { type: "text", text },
      ],
    }),
    events: ({ text, reasoning }: Said) => [
      {
        type: "message_start",
        message: {
          ...{ id: "m", type: "message", role: "assistant", model: "m", content: [] },
          stop_reason: null,
          stop_sequence: null,
          usage: USAGE,
        },
      },
      { type: "ping" },
      { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: reasoning ?? "" } },
      { type: "content_block_stop", index: 0 },
      ...(text === null
        ? [
            {
              type: "content_block_start",
              index: 1,
              content_block: { type: "tool_use", id: "t1", name: "look", input: {} },
            },
            {
              type: "content_block_delta",
              index: 1,
              delta: { type: "input_json_delta", partial_json: '{"sky":"BLUE"}' },
            },
          ]
        : [
            { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
            ...halves(text).map((half) => ({
              type: "content_block_delta",
              index: 1,
              delta: { type: "text_delta", text: half },
            })),
          ]),
      { type: "content_block_stop", index: 1 },
      { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ],
  },
  {
    path: "enerateContent",
    whole: (said: Said) => geminiOf(said.text === null ? [said.text] : [said.text], said.reasoning),
    events: ({ text, reasoning }: Said) => [
      geminiOf([""], reasoning),
      ...(text === null ? [geminiOf([null])] : halves(text).map((half) => geminiOf([half]))),
      { usageMetadata: { totalTokenCount: 2 }, modelVersion: "m" },
    ],
  },
] as const;

function halves(text: string): string[] {
  // The cut goes through the required word.
  const at = text.indexOf("UE") < 0 ? 3 : text.indexOf("UE");
  return [text.slice(0, at), text.slice(at)];
}

function responseOf({ text, reasoning }: Said, status: string) {
  return {
    ...{ id: "r", object: "response", created_at: 1, model: "m", status, error: null, incomplete_details: null },
    output: [
      ...(reasoning === undefined
        ? []
        : [{ type: "reasoning", id: "r", summary: [{ type: "summary_text", text: reasoning }] }]),
      text === null
        ? { type: "function_call", id: "f", call_id: "f", name: "look", arguments: "{}", status: "completed" }
        : {
            ...{ type: "message", id: "m", role: "assistant", status: "completed" },
            content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
          },
    ],
    usage: { ...USAGE, input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
  };
}

function geminiOf(texts: readonly (string | null)[], reasoning?: string) {
  const parts = texts.map((text) => (text === null ? { functionCall: { name: "look", args: {} } } : { text }));
  const thought = reasoning === undefined ? [] : [{ text: reasoning, thought: true }];
  return {
    candidates: [{ index: 0, finishReason: "STOP", content: { role: "model", parts: [...thought, ...parts] } }],
    usageMetadata: { totalTokenCount: 2 },
    modelVersion: "m",
  };
}

const openai = () => new OpenAI({ apiKey: "k", baseURL: base, maxRetries: 0 });
const anthropic = () => new Anthropic({ apiKey: "k", baseURL: base, maxRetries: 0 });
const google = () => new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: base } });
const messages = [{ role: "user" as const, content: "What colour is the sky?" }];
const aiOpenai = () => createOpenAI({ apiKey: "k", baseURL: base });
const aiAnthropic = () => createAnthropic({ apiKey: "k", baseURL: `${base}/v1` });

const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  "OpenAI chat completions": () => openai().chat.completions.create({ model: "m", messages }),
  "OpenAI responses": () => openai().responses.create({ model: "m", input: "?" }),
  "Anthropic messages": () => anthropic().messages.create({ model: "m", max_tokens: 9, messages }),
  "Gemini generateContent": () => google().models.generateContent({ model: "m", contents: "?" }),
  "AI SDK generateText (OpenAI responses)": () =>
    generateText({ model: aiOpenai()("m"), prompt: "?", maxOutputTokens: 9, maxRetries: 0 }),
  "AI SDK generateText (Anthropic)": () =>
    generateText({ model: aiAnthropic()("m"), prompt: "?", maxOutputTokens: 9, maxRetries: 0 }),
  "AI SDK doGenerate": async () =>
    aiAnthropic()("m").doGenerate({ prompt: [{ role: "user", content: [{ type: "text", text: "?" }] }] }),
};

const STREAMS: Readonly<Record<string, () => Promise<AsyncIterable<unknown>> | AsyncIterable<unknown>>> = {
  "OpenAI chat completions": () => openai().chat.completions.create({ model: "m", messages, stream: true }),
  "OpenAI responses": () => openai().responses.create({ model: "m", input: "?", stream: true }),
  "Anthropic messages": () => anthropic().messages.create({ model: "m", max_tokens: 9, messages, stream: true }),
  "Anthropic message stream": () => anthropic().messages.stream({ model: "m", max_tokens: 9, messages }),
  "Gemini generateContentStream": () => google().models.generateContentStream({ model: "m", contents: "?" }),
  "AI SDK textStream": () =>
    streamText({ model: aiAnthropic()("m"), prompt: "?", maxOutputTokens: 9, maxRetries: 0 }).textStream,
  "AI SDK fullStream": () =>
    streamText({ model: aiAnthropic()("m"), prompt: "?", maxOutputTokens: 9, maxRetries: 0 }).fullStream,
  "AI SDK doStream": async () => {
    const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "?" }] }];
    const { stream: parts } = await aiAnthropic()("m").doStream({ prompt });
    return parts as unknown as AsyncIterable<unknown>;
  },
};

describe("required content of an SDK's answer", () => {
  for (const [name, call] of Object.entries(CALLS)) {
    test(`E16: ${name}: the text of the answer satisfies it at the first call`, async () => {
      script.push(GOOD);
      await resilient(() => call(), POLICY)();
      expect(calls).toBe(1);
    });

    test(`E16: ${name}: reasoning does not satisfy it, so the call is retried`, async () => {
      script.push(ONLY_THOUGHT, GOOD);
      await resilient(() => call(), POLICY)();
      expect(calls).toBe(2);
    });

    test(`E16: ${name}: a tool call without text lacks it`, async () => {
      script.push(TOOL_ONLY);
      const error = await resilient(() => call(), POLICY)().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(SecondwindError);
      expect(error).toMatchObject({ attempts: 2, failure: { kind: "invalid_content" } });
    });
  }

  for (const [name, open] of Object.entries(STREAMS)) {
    test(`E16: a stream of ${name}: the text over all items satisfies it`, async () => {
      script.push(ONLY_THOUGHT, GOOD);
      const items = stream(() => open(), { policy: POLICY, sink: "buffered" });
      const { error } = await read(items);
      expect(error).toBeUndefined();
      expect(items.receipt).toMatchObject({ attempts: 2, warnings: [] });
    });

    test(`E16: a stream of ${name}: a tool call without text lacks it`, async () => {
      script.push(TOOL_ONLY);
      const { error } = await read(stream(() => open(), { policy: POLICY, sink: "buffered" }));
      expect(error).toMatchObject({ failure: { kind: "invalid_content" } });
    });
  }

  test("E16: AI SDK generateObject: the JSON of the object is the text", async () => {
    script.push({ text: '{"colour":"GREY"}' }, { text: '{"colour":"BLUE"}' });
    const schema = z.object({ colour: z.string() });
    const ask = resilient(
      () => generateObject({ model: aiOpenai()("m"), schema, prompt: "?", maxOutputTokens: 9, maxRetries: 0 }),
      POLICY,
    );
    expect((await ask()).object).toEqual({ colour: "BLUE" });
    expect(calls).toBe(2);
  });
});

describe("required content of an answer of unknown form", () => {
  const rejected = async (answer: unknown, textOf?: (answer: unknown) => never): Promise<unknown> => {
    let made = 0;
    const options = textOf === undefined ? {} : { textOf };
    const error = await resilient(
      () => {
        made++;
        return answer;
      },
      POLICY,
      options,
    )().catch((thrown: unknown) => thrown);
    expect(made).toBe(1);
    return error;
  };

  test("E16: it is a usage error at the first call, which names the fields and the option", async () => {
    const error = await rejected({ id: 7, result: { value: "BLUE" } });
    expect(error).toBeInstanceOf(InvalidInput);
    expect(error).toMatchObject({
      field: "options.textOf",
      message:
        "Cannot find the text of the answer to check `require`: got an object with the fields id, result. " +
        'Pass the option `textOf`, a function that returns the text ("" if there is none).',
    });
    expect(await rejected(undefined)).toMatchObject({ message: expect.stringContaining("got undefined.") });
    expect(await rejected(42)).toMatchObject({ message: expect.stringContaining("got a value of type number.") });
    expect(await rejected(new Response("BLUE"))).toMatchObject({ message: expect.stringContaining("class Response.") });
    expect(await rejected([])).toMatchObject({ message: expect.stringContaining("got an array.") });
  });

  test("E16: a result of streamText is one too, and the error points to `stream`", async () => {
    script.push(GOOD);
    const result = streamText({ model: aiAnthropic()("m"), prompt: "?", maxOutputTokens: 9, maxRetries: 0 });
    await result.consumeStream();
    expect(await rejected(result)).toMatchObject({
      message: expect.stringContaining("a stream that must be read by `stream`"),
    });
  });

  test("E16: a textOf that returns undefined is one too; null means that there is no text", async () => {
    expect(await rejected({ text: "BLUE" }, () => undefined as never)).toBeInstanceOf(InvalidInput);
    const ask = resilient(() => "BLUE", POLICY, { textOf: () => null as never });
    await expect(ask()).rejects.toMatchObject({ failure: { kind: "invalid_content" } });
  });

  test("E16: a textOf that returns true accepts an answer without text, such as a tool call", async () => {
    script.push(TOOL_ONLY);
    const ask = resilient(() => openai().chat.completions.create({ model: "m", messages }), POLICY, {
      textOf: ({ choices: [first] }) => (first?.message.tool_calls ? true : (first?.message.content ?? "")),
    });
    await ask();
    expect(calls).toBe(1);
  });

  test("E16: it is thrown as the same usage error after a retry, and does not count against the endpoint", async () => {
    let made = 0;
    const ask = resilient(() => {
      if (++made === 1) throw Object.assign(new Error("down"), { status: 503 });
      return { odd: true };
    }, POLICY);
    await expect(ask()).rejects.toBeInstanceOf(InvalidInput);
    expect(made).toBe(2);
  });

  test("E16: a stream without any known item ends with the same error, and is not retried", async () => {
    let opened = 0;
    const items = stream(
      async function* () {
        opened++;
        yield { odd: "BLUE" };
      },
      { policy: POLICY, sink: "buffered" },
    );
    const { error } = await read(items);
    expect(error).toBeInstanceOf(InvalidInput);
    expect(error).toMatchObject({ message: expect.stringContaining("an object with the fields odd") });
    expect(opened).toBe(1);
    expect(items.receipt).toMatchObject({ outcome: "not-retryable", attempts: 1 });
  });
});
