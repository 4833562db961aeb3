import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModelV3 } from "@ai-sdk/provider";
import { streamText } from "ai";
import { expect, test } from "vitest";
import { receiptIn, resilientModel } from "../../src/adapters/ai-sdk/index.ts";
import { QUICK } from "../adapters/ai-sdk/support.ts";
import { serve } from "../adapters/fetch/server.ts";

const apiKey = "key-a";
const candidate = (text: string, end: object) => ({ candidates: [{ content: { parts: [{ text }] }, ...end }] });
const RESPONSE = { id: "r1", created_at: 1, model: "gpt-5", incomplete_details: null };
const ITEM = { output_index: 0, item: { type: "message", id: "m1" } };

type Case = readonly [string, (baseURL: string) => LanguageModelV3, readonly object[], string];

const CASES: readonly Case[] = [
  [
    "OpenAI responses",
    (baseURL) => createOpenAI({ baseURL, apiKey }).responses("gpt-5"),
    [
      { type: "response.created", response: RESPONSE },
      { type: "response.output_item.added", ...ITEM },
      { type: "response.output_text.delta", item_id: "m1", delta: "wind" },
      { type: "response.output_item.done", ...ITEM },
      { type: "response.completed", response: { ...RESPONSE, usage: { input_tokens: 1, output_tokens: 2 } } },
      { type: "error", sequence_number: 9, error: { type: "server_error", code: "server_error", message: "Late" } },
    ],
    "stop",
  ],
  ...(["STOP", "MAX_TOKENS"] as const).map(
    (finishReason): Case => [
      `Google, ${finishReason}`,
      (baseURL) => createGoogleGenerativeAI({ baseURL, apiKey })("gemini-3-flash"),
      [
        candidate("wi", {}),
        candidate("nd", { finishReason }),
        { error: { code: 503, message: "Late", status: "UNAVAILABLE" } },
      ],
      finishReason === "STOP" ? "stop" : "length",
    ],
  ),
];

test.each(CASES)(
  "E15b: an error event after the end of the answer is ignored: %s",
  async (_name, make, events, end) => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
    });
    const errors: unknown[] = [];
    const onError = ({ error }: { readonly error: unknown }) => void errors.push(error);
    const result = streamText({ model: resilientModel(make(server.url), QUICK), prompt: "?", onError });
    const seen = { text: await result.text, end: await result.finishReason };
    await server.close();
    expect([seen, errors]).toEqual([{ text: "wind", end }, []]);
    expect(receiptIn(await result.providerMetadata)?.complete).toBe(true);
  },
);
