import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { generateText } from "ai";
import OpenAI from "openai";
import { MockAgent, request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";

/** What the loopback endpoint answers to the next request; `hang` never answers, `cut` closes the socket. */
type Answer =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown }
  | "hang"
  | "cut";

let server: Server;
let origin = "";
let answer: Answer = "cut";

beforeAll(async () => {
  server = createServer((incoming, response) => {
    incoming.resume();
    if (answer === "hang") return;
    if (answer === "cut") {
      incoming.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function thrownBy(call: () => PromiseLike<unknown>): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error("the call was meant to fail");
}

const messages = [{ role: "user" as const, content: "hi" }];
const calls: Readonly<Record<string, (signal?: AbortSignal) => PromiseLike<unknown>>> = {
  "the OpenAI SDK": (signal) =>
    new OpenAI({ apiKey: "k", baseURL: `${origin}/v1`, maxRetries: 0, timeout: 400 }).chat.completions.create(
      { model: "m", messages },
      { signal },
    ),
  "the Anthropic SDK": (signal) =>
    new Anthropic({ apiKey: "k", baseURL: origin, maxRetries: 0, timeout: 400 }).messages.create(
      { model: "m", max_tokens: 1, messages },
      { signal },
    ),
  "the AI SDK on OpenAI": (signal) =>
    generateText({
      model: createOpenAI({ apiKey: "k", baseURL: `${origin}/v1` }).chat("m"),
      messages,
      maxRetries: 0,
      ...(signal ? { abortSignal: signal } : {}),
    }),
  "the AI SDK on Anthropic": (signal) =>
    generateText({
      model: createAnthropic({ apiKey: "k", baseURL: `${origin}/v1` })("m"),
      messages,
      maxRetries: 0,
      ...(signal ? { abortSignal: signal } : {}),
    }),
};
const openAiBody = (message: string, code: string) => ({ error: { message, type: code, param: null, code } });
const anthropicBody = (type: string, message: string) => ({ type: "error", error: { type, message } });

describe.each(Object.entries(calls))("errors of %s", (name, call) => {
  const body = (code: string, message: string) =>
    name.includes("Anthropic") ? anthropicBody(code, message) : openAiBody(message, code);

  test("E1: a 429 with a hint", async () => {
    answer = { status: 429, headers: { "retry-after": "7" }, body: body("rate_limit_error", "Slow down.") };
    expect(classify(await thrownBy(call))).toMatchObject({
      kind: "rate_limit",
      retryable: true,
      status: 429,
      hintMs: 7000,
      message: "Slow down.",
      code: "rate_limit_error",
    });
  });

  test("E1: a billing stop behind a 400", async () => {
    answer = { status: 400, body: body("invalid_request_error", "Your credit balance is too low.") };
    expect(classify(await thrownBy(call))).toMatchObject({ kind: "usage_limit", retryable: false, status: 400 });
  });

  test("E1: an overload, a gateway's page, an empty answer", async () => {
    answer = { status: 529, body: body("overloaded_error", "Overloaded") };
    expect(classify(await thrownBy(call))).toMatchObject({ kind: "overloaded", status: 529, message: "Overloaded" });
    answer = { status: 502, headers: { "content-type": "text/html" }, body: "<title>502 Bad Gateway</title>" };
    expect(classify(await thrownBy(call))).toMatchObject({ kind: "server", retryable: true, status: 502 });
    answer = { status: 401, body: "" };
    expect(classify(await thrownBy(call))).toMatchObject({ kind: "auth", retryable: false, status: 401 });
  });

  test("E4: a socket that is closed before any header", async () => {
    answer = "cut";
    expect(classify(await thrownBy(call))).toMatchObject({ kind: "network", retryable: true, status: undefined });
  });

  test("E13: an abort of ours", async () => {
    answer = "hang";
    const failing = thrownBy(() => call(abortSoon()));
    expect(classify(await failing)).toMatchObject({ kind: "aborted", retryable: false });
  });
});

function abortSoon(): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  return controller.signal;
}

describe("errors of other clients", () => {
  test.each(["the OpenAI SDK", "the Anthropic SDK"])("E4: %s gives up waiting", async (name) => {
    answer = "hang";
    expect(classify(await thrownBy(() => calls[name]?.() ?? Promise.resolve()))).toMatchObject({
      kind: "timeout",
      retryable: true,
    });
  });

  test("E1: classifies the AI SDK's error after its own retries", async () => {
    answer = { status: 503, headers: { "retry-after-ms": "1" }, body: openAiBody("Busy", "server_error") };
    const model = createOpenAI({ apiKey: "k", baseURL: `${origin}/v1` }).chat("m");
    const error = await thrownBy(() => generateText({ model, messages, maxRetries: 1 }));
    expect((error as Error).name).toBe("AI_RetryError");
    expect(classify(error)).toMatchObject({ kind: "overloaded", retryable: true, status: 503, hintMs: 1 });
  });

  test("E1: the Google SDK, whose message is JSON", async () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "56s" }];
    answer = {
      status: 429,
      body: { error: { code: 429, message: "Resource exhausted.", status: "RESOURCE_EXHAUSTED", details } },
    };
    const google = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: origin } });
    const failing = () => google.models.generateContent({ model: "m", contents: "hi" });
    expect(classify(await thrownBy(failing))).toMatchObject({
      kind: "rate_limit",
      status: 429,
      hintMs: 56_000,
      message: "Resource exhausted.",
    });
    answer = {
      status: 400,
      body: {
        error: {
          code: 400,
          message: "API key not valid.",
          status: "INVALID_ARGUMENT",
          details: [{ reason: "API_KEY_INVALID" }],
        },
      },
    };
    expect(classify(await thrownBy(failing))).toMatchObject({ kind: "auth", code: "API_KEY_INVALID" });
  });

  test.each([
    ["a scheme that is none", "htp://127.0.0.1/", {}],
    ["a port that fetch refuses", "http://127.0.0.1:1/", {}],
    ["a redirect where none is allowed", "redirect", { redirect: "error" as const }],
  ])("E4: what fetch itself refuses is not retried: %s", async (_, url, init) => {
    answer = { status: 302, headers: { location: "/elsewhere" }, body: "" };
    const thrown = await thrownBy(() => fetch(url === "redirect" ? origin : url, init));
    expect(classify(thrown)).toMatchObject({ kind: "bad_request", retryable: false });
  });

  test("E4: a request that a mock of undici does not expect is not retried", async () => {
    const dispatcher = new MockAgent();
    dispatcher.disableNetConnect();
    const thrown = await thrownBy(() => request("http://127.0.0.1:2/", { dispatcher }));
    expect(classify(thrown)).toMatchObject({ kind: "bad_request", retryable: false });
    await dispatcher.close();
  });

  test("E4: fetch and undici, when the port is closed, when time runs out, when it is aborted", async () => {
    const closed = "http://127.0.0.1:2/";
    expect(classify(await thrownBy(() => fetch(closed)))).toMatchObject({ kind: "network", retryable: true });
    expect(classify(await thrownBy(() => request("http://127.0.0.1:9/")))).toMatchObject({
      kind: "network",
      evidence: "errno:ECONNREFUSED",
      code: "ECONNREFUSED",
    });
    answer = "hang";
    expect(classify(await thrownBy(() => fetch(origin, { signal: AbortSignal.timeout(20) })))).toMatchObject({
      kind: "timeout",
      retryable: true,
    });
    expect(classify(await thrownBy(() => fetch(origin, { signal: abortSoon() })))).toMatchObject({
      kind: "aborted",
      retryable: false,
    });
    expect(classify(await thrownBy(() => request(origin, { headersTimeout: 1 })))).toMatchObject({
      kind: "timeout",
      evidence: "errno:UND_ERR_HEADERS_TIMEOUT",
    });
  });
});
