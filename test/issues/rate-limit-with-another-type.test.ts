import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { resilient } from "../../src/index.ts";

// A 429 whose body named another type (`authentication_error`) was not retried: the type came before the status.

let server: Server;
let origin = "";
let calls = 0;
let refusal: { readonly status: number; readonly type: string; readonly message: string };

const ANSWERS: readonly (readonly [path: RegExp, body: unknown])[] = [
  [/completions/, { id: "c", object: "chat.completion", choices: [{ index: 0, message: { content: "ok" } }] }],
  [/messages/, { id: "m", type: "message", role: "assistant", content: [{ type: "text", text: "ok" }] }],
  [/generateContent/, { candidates: [{ content: { parts: [{ text: "ok" }] }, finishReason: "STOP" }] }],
];

beforeAll(async () => {
  server = createServer((incoming, response) => {
    incoming.resume();
    calls += 1;
    const { status, type, message } = refusal;
    const answer = ANSWERS.find(([path]) => path.test(incoming.url ?? ""))?.[1];
    const body = calls === 1 ? { type: "error", error: { type, status: type, code: status, message } } : answer;
    response.writeHead(calls === 1 ? status : 200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  calls = 0;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const messages = [{ role: "user" as const, content: "hi" }];
const SDKS: Readonly<Record<string, () => Promise<unknown>>> = {
  OpenAI: () =>
    new OpenAI({ apiKey: "k", baseURL: `${origin}/v1`, maxRetries: 0 }).chat.completions.create({
      model: "m",
      messages,
    }),
  Anthropic: () =>
    new Anthropic({ apiKey: "k", baseURL: origin, maxRetries: 0 }).messages.create({
      model: "m",
      max_tokens: 1,
      messages,
    }),
  Google: () =>
    new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: origin } }).models.generateContent({
      model: "m",
      contents: "hi",
    }),
};
const QUICKLY = { schedules: { general: { type: "fixed", delayMs: 1, atMost: 2 } } } as const;

describe.each(Object.entries(SDKS))("%s", (_, call) => {
  test.each([
    [429, "authentication_error", "invalid x-api-key"],
    [429, "permission_error", "Not allowed at this rate"],
    [429, "invalid_request_error", "Bad request"],
    [503, "invalid_request_error", "Bad request"],
    [529, "authentication_error", "invalid x-api-key"],
    [500, "not_found_error", "No such model"],
  ])("E3: HTTP %i is retried although the body says %s", async (status, type, message) => {
    refusal = { status, type, message };
    await resilient(call, QUICKLY)();
    expect(calls).toBe(2);
  });

  test.each([
    [401, "authentication_error", "invalid x-api-key"],
    [429, "insufficient_quota", "You exceeded your current quota, please check your plan and billing details."],
    [429, "rate_limit_error", "Request too large: Limit 7000, Requested 12903"],
    [500, "api_error", "prompt is too long: 213462 tokens > 200000 maximum"],
  ])("B2: HTTP %i with %s is still hopeless", async (status, type, message) => {
    refusal = { status, type, message };
    await expect(resilient(call, QUICKLY)()).rejects.toThrow();
    expect(calls).toBe(1);
  });
});
