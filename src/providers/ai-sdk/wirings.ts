import type { EmbeddingModelV3, LanguageModelV3, SharedV3ProviderOptions } from "@ai-sdk/provider";
import type { Speech } from "../endpoint.ts";
import type { ProviderRequest } from "../provider.ts";

/** What a provider of the AI SDK is opened with: for one call. */
export interface OpenSettings {
  readonly name: string;
  readonly model: string;
  readonly baseURL: string;
  /** Empty: the endpoint does without. */
  readonly apiKey: string;
  readonly fetch: typeof globalThis.fetch;
}

/** What differs between the AI SDK's providers. They are loaded when the first call is made: that takes 100 ms and more. */
export interface Wiring {
  readonly open: (settings: OpenSettings) => Promise<LanguageModelV3>;
  readonly openEmbedding?: (settings: OpenSettings) => Promise<EmbeddingModelV3>;
  readonly options: (request: ProviderRequest, name: string) => SharedV3ProviderOptions;
}

/** How many tokens a thought may take where the provider wants a number (Anthropic, Gemini). */
const THINKING_TOKENS = { low: 2048, medium: 8192, high: 24_576 } as const;

const anthropic: Wiring = {
  open: async ({ model, baseURL, apiKey, fetch }) => {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({ baseURL, apiKey, fetch })(model);
  },
  options: ({ reasoning }): ReturnType<Wiring["options"]> =>
    reasoning === undefined
      ? {}
      : { anthropic: { thinking: { type: "enabled", budgetTokens: THINKING_TOKENS[reasoning] } } },
};

const openaiResponses: Wiring = {
  open: async ({ model, baseURL, apiKey, fetch }) => {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({ baseURL, apiKey, fetch }).responses(model);
  },
  openEmbedding: async ({ model, baseURL, apiKey, fetch }) => {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({ baseURL, apiKey, fetch }).embedding(model);
  },
  options: ({ reasoning }) => ({
    openai: {
      // The conversation is ours to keep: nothing is stored there, so reasoning comes back to us, encrypted.
      store: false,
      // Forced: the SDK knows by name which models can reason, and not the one of next month.
      ...(reasoning !== undefined && { reasoningEffort: reasoning, reasoningSummary: "auto", forceReasoning: true }),
    },
  }),
};

const openaiChat: Wiring = {
  open: async ({ name, model, baseURL, apiKey, fetch }) => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    return createOpenAICompatible({ name, baseURL, fetch, includeUsage: true, ...keyOf(apiKey) }).chatModel(model);
  },
  openEmbedding: async ({ name, model, baseURL, apiKey, fetch }) => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    return createOpenAICompatible({ name, baseURL, fetch, ...keyOf(apiKey) }).embeddingModel(model);
  },
  options: ({ reasoning }, name): ReturnType<Wiring["options"]> =>
    reasoning === undefined ? {} : { [name]: { reasoningEffort: reasoning } },
};

const google: Wiring = {
  open: async ({ model, baseURL, apiKey, fetch }) => {
    const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
    return createGoogleGenerativeAI({ baseURL, apiKey, fetch })(model);
  },
  openEmbedding: async ({ model, baseURL, apiKey, fetch }) => {
    const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
    return createGoogleGenerativeAI({ baseURL, apiKey, fetch }).embeddingModel(model);
  },
  options: ({ reasoning }): ReturnType<Wiring["options"]> =>
    reasoning === undefined
      ? {}
      : { google: { thinkingConfig: { includeThoughts: true, thinkingBudget: THINKING_TOKENS[reasoning] } } },
};

export const WIRINGS: Readonly<Record<Speech, Wiring>> = {
  anthropic,
  "openai-responses": openaiResponses,
  "openai-chat": openaiChat,
  google,
};

function keyOf(apiKey: string): { readonly apiKey?: string } {
  return apiKey === "" ? {} : { apiKey };
}
