import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV3 } from "@ai-sdk/provider";
import { generateText, streamText } from "ai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { receiptOf, resilientModel } from "../../src/adapters/ai-sdk/index.ts";
import { QUICK, rejection } from "../adapters/ai-sdk/support.ts";

/** What the server answers to every call: a JSON value, or the events of a stream. */
let answer: unknown = {};
let calls = 0;
let origin = "";
const server = createServer((incoming, response) => {
  incoming.resume();
  calls += 1;
  response.writeHead(200, { "content-type": "application/json" });
  response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  calls = 0;
});

const chat = (message: unknown) => ({ id: "1", created: 1, model: "m", choices: [{ index: 0, message }] });
const candidate = (text: string) => ({ candidates: [{ content: { role: "model", parts: [{ text }] } }] });
const toolCall = (input: string) => ({ id: "1", type: "function", function: { name: "t", arguments: input } });

const MODELS: readonly (readonly [string, () => LanguageModelV3, (text: string) => unknown])[] = [
  ["OpenAI", () => createOpenAI({ baseURL: origin, apiKey: "k" }).chat("m"), (content) => chat({ content })],
  [
    "an OpenAI-compatible server",
    () => createOpenAICompatible({ name: "box", baseURL: origin })("m"),
    (content) => chat({ content }),
  ],
  ["Google", () => createGoogleGenerativeAI({ baseURL: origin, apiKey: "k" })("m"), candidate],
];

describe("an answer that names no finish reason", () => {
  test.each(MODELS)("E15b: a JSON answer with content is whole (%s)", async (_, model, says) => {
    answer = says("Rayleigh scattering.");
    const { text, finishReason } = await generateText({ model: resilientModel(model(), QUICK), prompt: "?" });
    expect({ text, finishReason, calls }).toEqual({ text: "Rayleigh scattering.", finishReason: "other", calls: 1 });
  });

  test.each(MODELS)("E15b: a JSON answer without content is no answer (%s)", async (_, model, says) => {
    answer = says("");
    const error = await rejection(generateText({ model: resilientModel(model(), QUICK), prompt: "?" }));
    expect(receiptOf(error)).toMatchObject({ attempts: 4, complete: false });
    expect(error).toMatchObject({ failure: { kind: "stream_broken" } });
  });

  test("E15b: a whole answer with cut arguments of a tool call is a failure", async () => {
    answer = chat({ content: "Let me see.", tool_calls: [toolCall('{"city": "Bo')] });
    const [[, model]] = MODELS as [(typeof MODELS)[number]];
    const error = await rejection(generateText({ model: resilientModel(model(), QUICK), prompt: "?" }));
    expect(error).toMatchObject({ failure: { kind: "invalid_content" } });
  });

  test("E15b: a stream without a finish reason is broken", async () => {
    answer = `data: ${JSON.stringify({ ...chat(undefined), choices: [{ index: 0, delta: { content: "half" } }] })}\n\n`;
    const [[, model]] = MODELS as [(typeof MODELS)[number]];
    const faults: unknown[] = [];
    const onError = ({ error }: { error: unknown }): void => void faults.push(error);
    await streamText({ model: resilientModel(model(), QUICK), prompt: "?", onError }).consumeStream();
    expect(faults).toMatchObject([{ failure: { kind: "stream_broken" } }]);
  });
});
