import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV3 } from "@ai-sdk/provider";
import { generateText, jsonSchema, streamText, type ToolSet } from "ai";
import { type Ask, type Probe, retriesOf, type Sight, TOOL } from "./probe.ts";

// The providers warn that they do not know the simulator's models.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

type MakeModel = (ask: Ask) => LanguageModelV3;

export const chatModel: MakeModel = ({ urls, apiKey, fetch, model }) =>
  createOpenAI({ baseURL: urls.aiSdk.openai, apiKey, fetch }).chat(model);
export const responsesModel: MakeModel = ({ urls, apiKey, fetch, model }) =>
  createOpenAI({ baseURL: urls.aiSdk.openai, apiKey, fetch }).responses(model);
export const compatibleModel: MakeModel = ({ urls, apiKey, fetch, model }) =>
  createOpenAICompatible({ name: "compatible", baseURL: urls.aiSdk.openai, apiKey, fetch }).chatModel(model);
export const anthropicModel: MakeModel = ({ urls, apiKey, fetch, model }) =>
  createAnthropic({ baseURL: urls.aiSdk.anthropic, apiKey, fetch })(model);
export const googleModel: MakeModel = ({ urls, apiKey, fetch, model }) =>
  createGoogleGenerativeAI({ baseURL: urls.aiSdk.google, apiKey, fetch })(model);

/** The AI SDK's functions on a model. `wrap`: what is put around the model. */
export function aiSdkProbe(make: MakeModel, wrap: (model: LanguageModelV3) => LanguageModelV3): Probe {
  return async (ask, sight) => {
    const { prompt, signal, hasTool, isStreaming } = ask;
    const tools = { [TOOL.name]: { inputSchema: jsonSchema(TOOL.parameters) } } as unknown as ToolSet;
    const options = {
      ...{ model: wrap(make(ask)), prompt, ...retriesOf(ask) },
      ...(signal !== undefined && { abortSignal: signal }),
      ...(hasTool && { tools }),
    };
    return isStreaming ? readStream(options, sight) : readWhole(options, sight);
  };
}

type Options = Parameters<typeof generateText>[0];

async function readWhole(options: Options, sight: Sight): Promise<void> {
  const { text, toolCalls } = await generateText(options);
  for (const { toolCallId, input } of toolCalls) sight.addInput(toolCallId, asText(input));
  await sight.say(text);
}

async function readStream(options: Options, sight: Sight): Promise<void> {
  const { fullStream } = streamText({ ...options, onError: () => undefined } as Parameters<typeof streamText>[0]);
  for await (const part of fullStream) {
    if (part.type === "error") throw part.error;
    if (part.type === "abort") throw new DOMException("The answer was aborted", "AbortError");
    if (part.type === "text-delta") await sight.say(part.text);
    if (part.type === "tool-call") sight.addInput(part.toolCallId, asText(part.input));
  }
}

/** Arguments that are no JSON come as they are. */
function asText(input: unknown): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}
