import type { WireFormat } from "../../../src/formats/index.ts";
import type { RawOptions } from "./raw-request.ts";

/** A call of one wire format, as its SDK makes it. */
export interface FormatCall {
  readonly name: string;
  readonly format: WireFormat;
  path(model: string): string;
  options(model: string, prompt?: string): RawOptions;
}

const KEYS: Readonly<Record<WireFormat, Readonly<Record<string, string>>>> = {
  openai: { authorization: "Bearer client-key" },
  anthropic: { "x-api-key": "client-key", "anthropic-version": "2023-06-01" },
  gemini: { "x-goog-api-key": "client-key" },
};
const PROMPT = "echo: wind → 風 🌊, and back again";

function call(
  name: string,
  format: WireFormat,
  path: (model: string) => string,
  body: (model: string, prompt: string) => object,
): FormatCall {
  return {
    name,
    format,
    path,
    options: (model, prompt = PROMPT) => ({ headers: KEYS[format], body: body(model, prompt) }),
  };
}

const chat = (stream: boolean) => (model: string, content: string) => ({
  model,
  messages: [{ role: "user", content }],
  stream,
  ...(stream && { stream_options: { include_usage: true } }),
});
const responses = (stream: boolean) => (model: string, input: string) => ({ model, input, stream });
const messages = (stream: boolean) => (model: string, content: string) => ({
  model,
  max_tokens: 200,
  messages: [{ role: "user", content }],
  stream,
});
const contents = (_: string, text: string) => ({ contents: [{ role: "user", parts: [{ text }] }] });

/** Every format with a stream. */
export const STREAMED: readonly FormatCall[] = [
  call("OpenAI chat", "openai", () => "/v1/chat/completions", chat(true)),
  call("OpenAI responses", "openai", () => "/v1/responses", responses(true)),
  call("Anthropic", "anthropic", () => "/v1/messages", messages(true)),
  call("Gemini", "gemini", (model) => `/v1beta/models/${model}:streamGenerateContent?alt=sse`, contents),
];

/** Every format as one JSON value. */
export const WHOLE: readonly FormatCall[] = [
  call("OpenAI chat", "openai", () => "/v1/chat/completions", chat(false)),
  call("OpenAI responses", "openai", () => "/v1/responses", responses(false)),
  call("Anthropic", "anthropic", () => "/v1/messages", messages(false)),
  call("Gemini", "gemini", (model) => `/v1beta/models/${model}:generateContent`, contents),
  call("Gemini's list of events", "gemini", (model) => `/v1beta/models/${model}:streamGenerateContent`, contents),
];
