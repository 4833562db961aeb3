import { createOpenAI } from "@ai-sdk/openai";
import { generateText, streamText } from "ai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { resilientModel } from "../../src/adapters/ai-sdk/index.ts";
import { QUICK } from "../adapters/ai-sdk/support.ts";
import { sendJson, serve, type TestServer } from "../adapters/fetch/server.ts";

// The argument of a custom tool is a text, which the AI SDK's provider hands over as a JSON string.
const CALL = { type: "custom_tool_call", id: "i1", call_id: "c1", name: "write_sql", input: "SELECT 1" };
const RESPONSE = { id: "r1", created_at: 1, model: "gpt-5", incomplete_details: null };
const USAGE = { input_tokens: 1, output_tokens: 2 };
const EVENTS = [
  { type: "response.created", response: RESPONSE },
  { type: "response.output_item.added", output_index: 0, item: { ...CALL, input: "" } },
  { type: "response.custom_tool_call_input.delta", item_id: "i1", output_index: 0, delta: "SELECT 1" },
  { type: "response.output_item.done", output_index: 0, item: { ...CALL, status: "completed" } },
  { type: "response.completed", response: { ...RESPONSE, usage: USAGE } },
];

let server: TestServer;

beforeAll(async () => {
  server = await serve(({ body }, response) => {
    if (!JSON.parse(body).stream) return sendJson(response, 200, { ...RESPONSE, output: [CALL], usage: USAGE });
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(EVENTS.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
  });
});

afterAll(() => server.close());

const parts = () => {
  const openai = createOpenAI({ baseURL: server.url, apiKey: "key-a" });
  const tools = {
    write_sql: openai.tools.customTool({ name: "write_sql", description: "SQL", format: { type: "text" } }),
  };
  return { model: resilientModel(openai.responses("gpt-5"), QUICK), tools, prompt: "Count." };
};
const EXPECTED = [expect.objectContaining({ toolName: "write_sql", input: "SELECT 1" })];

test("E15b: the text that a custom tool of OpenAI is called with is a whole argument", async () => {
  const { toolCalls } = await generateText(parts());
  expect(toolCalls).toEqual(EXPECTED);
});

test("E15b: a streamed call of a custom tool of OpenAI is given out with its text", async () => {
  expect(await streamText(parts()).toolCalls).toEqual(EXPECTED);
});
