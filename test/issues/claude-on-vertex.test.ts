import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { receiptOf, resilientFetch } from "../../src/adapters/fetch/index.ts";
import { QUICK } from "../adapters/ai-sdk/support.ts";
import { serve, type TestServer } from "../adapters/fetch/server.ts";

const MODELS = "/v1/projects/p/locations/global/publishers/anthropic/models";
const MESSAGE = { id: "m1", type: "message", role: "assistant", model: "claude", content: [], stop_reason: null };
const EVENTS = [
  { type: "message_start", message: { ...MESSAGE, usage: { input_tokens: 9, output_tokens: 1 } } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "wind" } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 2 } },
  { type: "message_stop" },
];
const textOf = (events: readonly object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

let vertex: TestServer;
let answers: readonly (readonly object[] | number)[] = [];
beforeEach(async () => {
  vertex = await serve((_, response, count) => {
    const answer = answers[count - 1] ?? 500;
    if (typeof answer === "number") return void response.writeHead(answer).end("{}");
    response.writeHead(200, { "content-type": "text/event-stream" }).end(textOf(answer));
  });
});
afterEach(() => vertex.close());

/** As Anthropic's SDK for Vertex AI and the AI SDK's provider call it: the model is in the path, not in the body. */
function ask(fetch: typeof globalThis.fetch): Promise<Response> {
  return fetch(`${vertex.url}${MODELS}/claude-sonnet-4-5@20250929:streamRawPredict`, {
    method: "POST",
    headers: { authorization: "Bearer token", "content-type": "application/json" },
    body: JSON.stringify({ anthropic_version: "vertex-2023-10-16", messages: [], max_tokens: 9, stream: true }),
  });
}

describe("E15b: Claude on Vertex AI", () => {
  test("E4: a refusal and a stream without content are retried", async () => {
    answers = [503, [], EVENTS];
    const response = await ask(resilientFetch(QUICK));
    expect(await response.text()).toBe(textOf(EVENTS));
    expect(receiptOf(response)).toMatchObject({ attempts: 3, targets: [{ model: "claude-sonnet-4-5@20250929" }] });
  });

  test("E15b: a stream without its terminal marker is an error", async () => {
    answers = [EVENTS.slice(0, 3)];
    const response = await ask(resilientFetch(QUICK));
    await expect(response.text()).rejects.toThrow();
  });

  test("E17: no fallback gets it, because none takes its path and its body", async () => {
    answers = [401];
    const fallbacks = [{ baseURL: vertex.url, model: "claude-other", format: "anthropic" as const }];
    expect((await ask(resilientFetch(QUICK, { fallbacks }))).status).toBe(401);
    expect(vertex.received).toHaveLength(1);
  });
});
