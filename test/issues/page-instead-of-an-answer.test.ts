import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV3 } from "@ai-sdk/provider";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { embed, generateText, streamText } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { classify, resilient } from "../../src/index.ts";
import type { Speech } from "../../src/providers/endpoint.ts";
import { embedTexts, inspectEvent } from "../../src/providers/index.ts";
import type { ProviderEvent } from "../../src/providers/provider.ts";
import { ask, gather, told } from "../providers/provider-contract.ts";
import { openProvider } from "../providers/support.ts";

// HTTP 200 with something else than JSON (a proxy's page, a broken event) was taken for a bug of the program and not retried.

interface Reply {
  readonly type: string;
  readonly body: string;
}

let server: Server;
let origin = "";
let replies: Reply[] = [];

beforeAll(async () => {
  server = createServer((incoming, response) => {
    incoming.resume();
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    response.writeHead(200, { "content-type": reply?.type }).end(reply?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const PAGE =
  "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Login required, or Error 404: model not found</body></html>";
const html: Reply = { type: "text/html", body: PAGE };
const mislabelled: Reply = { type: "application/json", body: PAGE };
const login: Reply = { type: "text/html", body: "<!DOCTYPE html><html><body>Login required</body></html>" };
const empty: Reply = { type: "application/json", body: "" };
const cut: Reply = { type: "application/json", body: '{"id": "x", "choices": [' };
const brokenEvent: Reply = { type: "text/event-stream", body: 'data: {"id": "x", oops\n\n' };
const pageEvent: Reply = { type: "text/event-stream", body: "data: <html>\n\n" };

async function failureOf(call: () => PromiseLike<unknown>) {
  try {
    await call();
  } catch (error) {
    const { kind, retryable } = classify(error);
    return { kind, retryable };
  }
  throw new Error("the call was meant to fail");
}

const BROKEN = { kind: "stream_broken", retryable: true };
const messages = [{ role: "user" as const, content: "hi" }];

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const part of stream) if (isErrorPart(part)) throw part.error;
}

function isErrorPart(part: unknown): part is { readonly error: unknown } {
  return typeof part === "object" && part !== null && "type" in part && part.type === "error" && "error" in part;
}

describe("the official SDKs", () => {
  const openai = () => new OpenAI({ apiKey: "k", baseURL: `${origin}/v1`, maxRetries: 0 });
  const anthropic = () => new Anthropic({ apiKey: "k", baseURL: origin, maxRetries: 0 });
  const google = () => new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: origin } });
  const fetchJson = async () => (await fetch(origin)).json();
  const chat = () => openai().chat.completions.create({ model: "m", messages });
  const chatStream = async () => drain(await openai().chat.completions.create({ model: "m", messages, stream: true }));
  const chatHelper = () => openai().chat.completions.stream({ model: "m", messages }).finalChatCompletion();
  const responses = () => openai().responses.create({ model: "m", input: "hi" });
  const responsesStream = async () => drain(await openai().responses.create({ model: "m", input: "hi", stream: true }));
  const message = () => anthropic().messages.create({ model: "m", max_tokens: 1, messages });
  const messageHelper = () => anthropic().messages.stream({ model: "m", max_tokens: 1, messages }).finalMessage();
  const content = () => google().models.generateContent({ model: "m", contents: "hi" });
  const contentStream = async () => drain(await google().models.generateContentStream({ model: "m", contents: "hi" }));

  const CASES: readonly (readonly [what: string, call: () => PromiseLike<unknown>, replies: readonly Reply[]])[] = [
    ["fetch and json()", fetchJson, [html, mislabelled, empty, cut, pageEvent]],
    ["OpenAI's chat", chat, [mislabelled, empty, cut]],
    ["OpenAI's chat as a stream", chatStream, [brokenEvent, pageEvent]],
    ["OpenAI's chat through the stream helper", chatHelper, [html, mislabelled, empty, brokenEvent, pageEvent]],
    ["OpenAI's responses", responses, [html, mislabelled, empty, cut, brokenEvent, pageEvent]],
    ["OpenAI's responses as a stream", responsesStream, [brokenEvent, pageEvent]],
    ["Anthropic's messages", message, [mislabelled, empty, cut]],
    ["Anthropic's messages through the stream helper", messageHelper, [html, mislabelled, empty, brokenEvent]],
    ["Google's content", content, [html, mislabelled, empty, cut, pageEvent]],
    ["Google's content as a stream", contentStream, [html, mislabelled, brokenEvent, pageEvent]],
  ];

  test.each(CASES)("E15b: %s throws what is read as a broken stream", async (_, call, bad) => {
    for (const reply of bad) {
      replies = [reply];
      expect(await failureOf(call)).toEqual(BROKEN);
    }
  });
});

describe("the AI SDK", () => {
  const MODELS: Readonly<Record<string, () => LanguageModelV3>> = {
    "OpenAI's chat": () => createOpenAI({ apiKey: "k", baseURL: `${origin}/v1` }).chat("m"),
    "OpenAI's responses": () => createOpenAI({ apiKey: "k", baseURL: `${origin}/v1` }).responses("m"),
    Anthropic: () => createAnthropic({ apiKey: "k", baseURL: `${origin}/v1` })("m"),
    Google: () => createGoogleGenerativeAI({ apiKey: "k", baseURL: `${origin}/v1beta` })("m"),
    "a compatible server": () => createOpenAICompatible({ name: "x", baseURL: `${origin}/v1` }).chatModel("m"),
  };

  test.each(Object.entries(MODELS))(
    "E15b: generateText on %s throws what is read as a broken stream",
    async (_, model) => {
      for (const reply of [html, login, mislabelled, empty, cut, brokenEvent, pageEvent]) {
        replies = [reply];
        expect(await failureOf(() => generateText({ model: model(), messages, maxRetries: 0 }))).toEqual(BROKEN);
      }
    },
  );

  test.each(["OpenAI's chat", "Anthropic"])(
    "E15b: generateText on %s is told by the endpoint what went wrong, not by the check of the SDK",
    async (name) => {
      const failureOn = async (body: string) => {
        replies = [{ type: "application/json", body }];
        return failureOf(() => generateText({ model: MODELS[name]?.() as LanguageModelV3, messages, maxRetries: 0 }));
      };
      expect(await failureOn("{}")).toEqual(BROKEN);
      expect(await failureOn('{"error":{"message":"Rate limit exceeded","code":429}}')).toEqual({
        kind: "rate_limit",
        retryable: true,
      });
      expect(await failureOn('{"error":{"message":"Insufficient balance"}}')).toEqual({
        kind: "usage_limit",
        retryable: false,
      });
    },
  );

  test.each(Object.entries(MODELS))("E15b: streamText on %s gives an error that is worth a retry", async (_, model) => {
    for (const reply of [brokenEvent, pageEvent]) {
      replies = [reply];
      const call = () => drain(streamText({ model: model(), messages, maxRetries: 0, onError() {} }).fullStream);
      expect(await failureOf(call)).toMatchObject({ retryable: true });
    }
  });

  test("E15b: embed throws what is read as a broken stream", async () => {
    replies = [html];
    const model = createOpenAI({ apiKey: "k", baseURL: `${origin}/v1` }).embedding("m");
    expect(await failureOf(() => embed({ model, value: "x", maxRetries: 0 }))).toEqual(BROKEN);
  });
});

test("E15b: the library asks again after a page", async () => {
  replies = [html, empty, { type: "application/json", body: '{"text":"there"}' }];
  const call = resilient(async () => (await fetch(origin)).json() as Promise<{ text: string }>, {
    schedules: { general: { type: "fixed", delayMs: 1, atMost: 3 } },
  });
  expect(await call()).toEqual({ text: "there" });
});

describe.each(["anthropic", "openai-responses", "openai-chat", "google"] satisfies Speech[])("our %s", (speech) => {
  test("E15b: reports a page, a broken first event and an empty body as a broken stream", async () => {
    const provider = openProvider({ name: "p", speech, baseUrl: `${origin}/v1` });
    for (const body of [PAGE, 'data: {"id": "x", oops\n\n', "data: <html>\n\n", ""]) {
      for (const type of ["text/html", "text/plain", "application/json", "text/event-stream"]) {
        replies = [{ type, body }];
        const events: readonly ProviderEvent[] = told(
          await gather(provider.stream(ask("m"), new AbortController().signal)),
        );
        expect(events).toMatchObject([{ type: "error", retryable: true }]);
        const reading = inspectEvent(events[0] as ProviderEvent);
        const failure = classify(typeof reading === "object" ? reading.problem : undefined);
        expect({ type, body, kind: failure.kind }).toEqual({ type, body, kind: "stream_broken" });
      }
    }
  });
});

test("E15b: our embeddings ask again after a page", async () => {
  const good = { data: [{ embedding: [1, 2], index: 0 }], usage: { prompt_tokens: 1 } };
  replies = [html, { type: "application/json", body: JSON.stringify(good) }];
  const provider = openProvider({ name: "p", speech: "openai-chat", baseUrl: `${origin}/v1` });
  expect(await embedTexts(provider, { model: "m", texts: ["x"] })).toEqual([[1, 2]]);
});
