import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAnthropic } from "@ai-sdk/anthropic";
import { streamText } from "ai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { resilientModel } from "../../src/adapters/ai-sdk/index.ts";
import { QUICK } from "../adapters/ai-sdk/support.ts";

// Anthropic adds types of blocks and deltas; a release of its provider that does not know them reports each as an error, and goes on.

const START = {
  type: "message_start",
  message: {
    ...{ id: "m", type: "message", role: "assistant", model: "m", content: [], stop_reason: null, stop_sequence: null },
    usage: { input_tokens: 3, output_tokens: 1 },
  },
};
const END = [
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 2 } },
  { type: "message_stop" },
];
const block = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block });
const delta = (index: number, inside: object) => ({ type: "content_block_delta", index, delta: inside });
const stop = (index: number) => ({ type: "content_block_stop", index });
const text = (index: number, ...inside: readonly object[]) => [
  block(index, { type: "text", text: "" }),
  ...inside,
  delta(index, { type: "text_delta", text: "Hello" }),
  stop(index),
];

let events: readonly object[] = [];
let calls = 0;
const server = createServer((incoming, response) => {
  incoming.resume();
  calls += 1;
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function asked(...content: readonly object[]) {
  events = [START, ...content, ...END];
  calls = 0;
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const errors: unknown[] = [];
  const result = streamText({
    model: resilientModel(createAnthropic({ baseURL, apiKey: "k" })("m"), QUICK),
    prompt: "?",
    onError: ({ error }) => void errors.push(error),
  });
  let said = "";
  for await (const piece of result.textStream) said += piece;
  return { said, errors, calls };
}

const HELLO = { said: "Hello", errors: [], calls: 1 };

test("E15b: a delta of a new type is ignored before content and between it", async () => {
  const fancy = delta(0, { type: "brand_new_delta", note: 1 });
  expect(await asked(...text(0, fancy))).toEqual(HELLO);
  expect(await asked(...text(0), block(1, { type: "text", text: "" }), delta(1, { type: "brand_new_delta" }))).toEqual(
    HELLO,
  );
});

test("E15b: a block of a new type is ignored with all that is in it", async () => {
  const fancy = [block(0, { type: "brand_new_block", id: "1" }), delta(0, { type: "brand_new_delta" }), stop(0)];
  expect(await asked(...fancy, ...text(1))).toEqual(HELLO);
});

test("E15b: an answer of nothing but what cannot be read is no answer", async () => {
  const { said, errors, calls } = await asked(block(0, { type: "brand_new_block", id: "1" }), stop(0));
  expect({ said, calls }).toEqual({ said: "", calls: 4 });
  expect(errors).toMatchObject([{ failure: { kind: "stream_broken" } }]);
});

test("E15b: a delta of a known type that makes no sense breaks the stream", async () => {
  const { errors, calls } = await asked(
    block(0, { type: "text", text: "" }),
    delta(0, { type: "text_delta", text: 5 }),
  );
  expect(calls).toBe(4);
  expect(errors).toMatchObject([{ failure: { kind: "stream_broken" } }]);
});
