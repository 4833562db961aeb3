import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV3, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { PolicyInput } from "../../../src/index.ts";
import type { Simulator } from "../../../src/simulator/http/index.ts";

// The providers warn that they do not know the simulator's models.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/** Retries without a pause, so that a test takes milliseconds. */
export const QUICK: PolicyInput = {
  schedules: { general: { type: "fixed", delayMs: 1, atMost: 3 } },
  sameServerError: null,
};

export const PROMPT = [{ role: "user" as const, content: [{ type: "text" as const, text: "echo: wind → 風" }] }];
export const CALL = { prompt: PROMPT };

export type Maker = (sim: Simulator, model: string, apiKey?: string) => LanguageModelV3;

export const responses: Maker = ({ urls }, model, apiKey = "key-a") =>
  createOpenAI({ baseURL: urls.aiSdk.openai, apiKey }).responses(model);
export const openaiChat: Maker = ({ urls }, model, apiKey = "key-a") =>
  createOpenAI({ baseURL: urls.aiSdk.openai, apiKey }).chat(model);
export const anthropic: Maker = ({ urls }, model, apiKey = "key-a") =>
  createAnthropic({ baseURL: urls.aiSdk.anthropic, apiKey })(model);
export const google: Maker = ({ urls }, model, apiKey = "key-a") =>
  createGoogleGenerativeAI({ baseURL: urls.aiSdk.google, apiKey })(model);
export const compatible: Maker = ({ urls }, model, apiKey = "key-a") =>
  createOpenAICompatible({
    name: "my-box",
    baseURL: urls.aiSdk.openai,
    apiKey,
    includeUsage: true,
    supportsStructuredOutputs: true,
  }).chatModel(model);

/** The providers of the AI SDK that speak to a simulator. */
export const MAKERS: readonly (readonly [string, Maker])[] = [
  ["OpenAI responses", responses],
  ["OpenAI chat", openaiChat],
  ["Anthropic", anthropic],
  ["Google", google],
  ["OpenAI-compatible", compatible],
];

export interface Gathered {
  readonly parts: readonly LanguageModelV3StreamPart[];
  readonly text: string;
  readonly types: readonly string[];
  readonly error: unknown;
}

/** Reads a stream to its end. `error` is what it threw. */
export async function gather(stream: ReadableStream<LanguageModelV3StreamPart>): Promise<Gathered> {
  const parts: LanguageModelV3StreamPart[] = [];
  let error: unknown;
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value);
  } catch (thrown) {
    error = thrown;
  }
  const text = parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");
  return { parts, text, types: [...new Set(parts.map(({ type }) => type))], error };
}

export function find<T extends LanguageModelV3StreamPart["type"]>(
  { parts }: Gathered,
  type: T,
): Extract<LanguageModelV3StreamPart, { type: T }> {
  const found = parts.find((part) => part.type === type);
  if (found === undefined) throw new Error(`No ${type} among ${parts.map((part) => part.type).join(", ")}`);
  return found as Extract<LanguageModelV3StreamPart, { type: T }>;
}

/** What a promise is rejected with. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown");
}
