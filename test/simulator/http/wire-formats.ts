import type { Simulator } from "../../../src/simulator/http/index.ts";
import {
  type RawExchange,
  type RawRequest,
  type RawResponse,
  rawExchange,
  readEvents,
  readResponse,
} from "./raw-client.ts";

/** How one wire format is spoken, as far as the tests of faults must know. */
export interface WireFormat {
  readonly name: string;
  readonly path: (model: string, how: Streaming) => string;
  readonly body: (model: string, prompt: string, how: Streaming) => object;
  readonly keyHeader: (key: string) => Readonly<Record<string, string>>;
  /** Is in the data of the terminal event and of no other. */
  readonly terminal: RegExp;
  /** Is in the data of every event with text. */
  readonly text: RegExp;
  readonly error: RegExp;
}

export type Streaming = "stream" | "whole";

const isStream = (how: Streaming): boolean => how === "stream";

export const WIRE_FORMATS: readonly WireFormat[] = [
  {
    name: "OpenAI chat",
    path: () => "/v1/chat/completions",
    body: (model, prompt, how) => ({ model, stream: isStream(how), messages: [{ role: "user", content: prompt }] }),
    keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
    terminal: /^\[DONE\]$/,
    text: /"delta":\{"content":"[^"]/,
    error: /^\{"error":/,
  },
  {
    name: "OpenAI responses",
    path: () => "/v1/responses",
    body: (model, prompt, how) => ({ model, stream: isStream(how), input: prompt }),
    keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
    terminal: /"response\.completed"/,
    text: /"response\.output_text\.delta"/,
    error: /"type":"error"/,
  },
  {
    name: "Anthropic",
    path: () => "/v1/messages",
    body: (model, prompt, how) => ({
      model,
      stream: isStream(how),
      max_tokens: 500,
      messages: [{ role: "user", content: prompt }],
    }),
    keyHeader: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
    terminal: /"message_stop"/,
    text: /"text_delta"/,
    error: /"type":"error"/,
  },
  {
    name: "Gemini",
    path: (model, how) =>
      isStream(how)
        ? `/v1beta/models/${model}:streamGenerateContent?alt=sse`
        : `/v1beta/models/${model}:generateContent`,
    body: (_model, prompt) => ({ contents: [{ role: "user", parts: [{ text: prompt }] }] }),
    keyHeader: (key) => ({ "x-goog-api-key": key }),
    terminal: /"finishReason"/,
    text: /"parts":\[\{"text":"[^"]/,
    error: /^\{"error":/,
  },
];

export const TEXT = "one two three four five six seven eight nine ten";

let keys = 0;

export interface FaultyAsk extends Partial<Pick<RawRequest, "quietMs" | "leaveAfterMs">> {
  readonly sim: Simulator;
  readonly format: WireFormat;
  /** `20-137`; undefined: a good answer. */
  readonly fault?: string;
  readonly how?: Streaming;
  readonly model?: string;
  readonly prompt?: string;
}

export interface Faulty extends RawExchange, RawResponse {
  readonly text: string;
  readonly events: ReturnType<typeof readEvents>;
}

/** Sends a request over a plain socket, each with a new key: every request is the first of its key, so the bytes are the same. */
export async function askRaw({
  sim,
  format,
  fault,
  how = "stream",
  model = "ok",
  prompt = `echo: ${TEXT}`,
  ...more
}: FaultyAsk): Promise<Faulty> {
  keys += 1;
  const exchange = await rawExchange({
    url: sim.url,
    path: format.path(model, how),
    headers: {
      ...format.keyHeader(`key-${keys}`),
      connection: "close",
      ...(fault !== undefined && { "x-sim-fault": fault }),
    },
    body: format.body(model, prompt, how),
    ...more,
  });
  const response = readResponse(exchange.bytes);
  const text = response.body.toString("utf8");
  return { ...exchange, ...response, text, events: readEvents(text) };
}
