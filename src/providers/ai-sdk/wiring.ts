import type { EmbeddingModelV3, LanguageModelV3, SharedV3ProviderOptions } from "@ai-sdk/provider";
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
