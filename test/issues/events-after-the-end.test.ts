import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Speech } from "../../src/providers/endpoint.ts";
import type { ProviderEvent } from "../../src/providers/provider.ts";
import { ask, gather, told } from "../providers/provider-contract.ts";
import { openProvider } from "../providers/support.ts";

// Text after the terminal marker was appended in two formats and dropped in the third; an unknown event after it ruined a whole
// answer; a last event without its blank line and an event without data were errors.

/** One answer, "Hello there", in the words of a wire format. */
interface Format {
  readonly open: readonly unknown[];
  readonly text: (text: string) => unknown;
  /** The terminal marker is the last of them. */
  readonly end: readonly unknown[];
  /** What a good stream has after its terminal marker. */
  readonly after: readonly unknown[];
  readonly error: unknown;
}

const chat = (delta: object, finish_reason: string | null = null): unknown => ({
  ...{ id: "c", object: "chat.completion.chunk", created: 1, model: "m" },
  choices: [{ index: 0, delta, finish_reason }],
});
const gemini = (text: string, more: object = {}): unknown => ({
  candidates: [{ content: { parts: [{ text }], role: "model" }, index: 0, ...more }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
});
const response = { id: "r", created_at: 1, model: "m" };
const item = { type: "message", id: "msg", role: "assistant", status: "completed", content: [] };
const responsesUsage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };

const FORMATS: Readonly<Record<Speech, Format>> = {
  "openai-chat": {
    open: [chat({ role: "assistant", content: "" })],
    text: (content) => chat({ content }),
    end: [chat({}, "stop")],
    after: [
      { ...(chat({}) as object), choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
      "[DONE]",
    ],
    error: { error: { message: "Overloaded", type: "server_error" } },
  },
  "openai-responses": {
    open: [
      { type: "response.created", sequence_number: 0, response },
      { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress" } },
    ],
    text: (delta) => ({
      ...{ type: "response.output_text.delta", item_id: "msg", output_index: 0, content_index: 0, delta, logprobs: [] },
    }),
    end: [
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { ...response, usage: responsesUsage } },
    ],
    after: [],
    error: { type: "error", sequence_number: 9, error: { type: "server_error", code: "x", message: "Overloaded" } },
  },
  anthropic: {
    open: [
      {
        type: "message_start",
        message: {
          ...{ id: "m", type: "message", role: "assistant", model: "m", content: [], stop_reason: null },
          usage: { input_tokens: 3, output_tokens: 0 },
        },
      },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    ],
    text: (text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }),
    end: [
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
      { type: "message_stop" },
    ],
    after: [],
    error: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
  },
  google: {
    open: [],
    text: (text) => gemini(text),
    end: [gemini("", { finishReason: "STOP" })],
    after: [],
    error: { error: { code: 503, message: "Overloaded", status: "UNAVAILABLE" } },
  },
};

const sse = (event: unknown): string => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`;
const all = (events: readonly unknown[]): string => events.map(sse).join("");
const UNKNOWN = sse({ type: "brand.new_event", sequence_number: 7, note: "?" });
const NAMED = "event: heartbeat\ndata: still here\n\n";

/** Each makes the bytes of a whole answer, with something odd in it. */
const CASES: Readonly<Record<string, (format: Format) => string>> = {
  "nothing odd": (f) => whole(f),
  "text after the terminal marker": (f) => whole(f, { atEnd: sse(f.text(" and more")) }),
  "text after all that follows the terminal marker": (f) => whole(f) + sse(f.text(" and more")),
  "the terminal marker twice": (f) => whole(f, { atEnd: sse(f.end.at(-1)) }),
  "the whole answer twice": (f) => whole(f) + whole(f),
  "an unknown event before everything": (f) => UNKNOWN + whole(f),
  "an unknown event in the middle": (f) => whole(f, { inside: UNKNOWN }),
  "an unknown event after the terminal marker": (f) => whole(f, { atEnd: UNKNOWN }),
  "an unknown event after all that follows the terminal marker": (f) => whole(f) + UNKNOWN,
  "an unknown event whose data is no JSON": (f) => NAMED + whole(f, { inside: NAMED, atEnd: NAMED }),
  "an error after the terminal marker": (f) => whole(f, { atEnd: sse(f.error) }),
  "an event that is no JSON after the terminal marker": (f) => whole(f, { atEnd: sse("{oops") }),
  "a cut event after everything": (f) => `${whole(f)}data: {"id": "x`,
  "a last event without its blank line": (f) => whole(f).slice(0, -1),
  "a last event without its line end": (f) => whole(f).slice(0, -2),
  "a last event without its blank line, with CRLF": (f) => whole(f).replaceAll("\n", "\r\n").slice(0, -2),
  "a last event without its blank line, with CR": (f) => whole(f).replaceAll("\n", "\r").slice(0, -1),
  "a terminal marker without its blank line, and nothing after it": (f) => whole(f, { after: "" }).slice(0, -2),
  "empty data first, in the middle and last": (f) =>
    `data:\n\n${whole(f, { inside: "data: \n\n", atEnd: "data\n\n" })}data:`,
  "empty data with a name": (f) => `event: message\ndata:\n\n${whole(f, { inside: "event: x\ndata: \n\n" })}`,
  "empty lines of data around an event": (f) => whole(f, { inside: `data:\n${sse(f.text("")).trimEnd()}\ndata:\n\n` }),
};

function whole(format: Format, odd: { inside?: string; atEnd?: string; after?: string } = {}): string {
  const { open, text, end, after } = format;
  const start = all([...open, text("Hello")]);
  return `${start}${odd.inside ?? ""}${all([text(" there"), ...end])}${odd.atEnd ?? ""}${odd.after ?? all(after)}`;
}

let server: Server;
let origin = "";
let body = "";

beforeAll(async () => {
  server = createServer((incoming, reply) => {
    incoming.resume();
    reply.writeHead(200, { "content-type": "text/event-stream" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ANSWER: readonly ProviderEvent[] = [
  { type: "text", text: "Hello" },
  { type: "text", text: " there" },
  { type: "usage", inputTokens: 3, outputTokens: 2 },
  { type: "finish", reason: "end" },
];

describe.each(Object.entries(FORMATS) as [Speech, Format][])("%s", (speech, format) => {
  const events = async (): Promise<readonly ProviderEvent[]> => {
    const provider = openProvider({ name: "p", speech, baseUrl: `${origin}/v1` });
    return told(await gather(provider.stream(ask("m"), new AbortController().signal)));
  };

  test.each(Object.entries(CASES))("E15b: gives the same answer with %s", async (what, make) => {
    body = make(format);
    const hasNoUsage = speech === "openai-chat" && what.includes("nothing after it");
    expect(await events()).toEqual(hasNoUsage ? ANSWER.filter(({ type }) => type !== "usage") : ANSWER);
  });

  test("E15b: is broken without the terminal marker, whatever comes in its place", async () => {
    const start = all([...format.open, format.text("Hello")]);
    for (const instead of ["", UNKNOWN, "data:\n\n", sse(format.end.at(-1)).slice(0, -8), "data: {oops"]) {
      body = start + instead;
      const [text, error, ...rest] = await events();
      expect(text).toEqual({ type: "text", text: "Hello" });
      expect(error).toMatchObject({ type: "error", code: "stream_broken", retryable: true });
      expect(rest).toEqual([]);
    }
  });

  test("E15b: is an error if it only begins with an error event, and classified by its type", async () => {
    body = sse(format.error);
    const [error, ...rest] = await events();
    expect(error).toMatchObject({ type: "error", message: expect.stringContaining("Overloaded"), retryable: true });
    expect(rest).toEqual([]);
  });
});

test("E15b: a bad key that Anthropic reports in its first event is one", async () => {
  body = sse({ type: "error", error: { type: "authentication_error", message: "invalid x-api-key" } });
  const provider = openProvider({ name: "p", speech: "anthropic", baseUrl: `${origin}/v1` });
  const [error] = told(await gather(provider.stream(ask("m"), new AbortController().signal)));
  expect(error).toMatchObject({ type: "error", code: "authentication_error", retryable: false });
  expect(error).not.toHaveProperty("status");
});

test("E15b: an error of vLLM, which is not wrapped, is one", async () => {
  body = sse({ object: "error", message: "Too many requests", type: "RateLimitError", code: 429 });
  const provider = openProvider({ name: "p", speech: "openai-chat", baseUrl: `${origin}/v1` });
  const [error] = told(await gather(provider.stream(ask("m"), new AbortController().signal)));
  expect(error).toMatchObject({ type: "error", status: 429, retryable: true });
});
