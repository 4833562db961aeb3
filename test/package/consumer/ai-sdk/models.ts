import type { EmbeddingModelV3, LanguageModelV3, LanguageModelV3Middleware } from "@ai-sdk/provider";
import { InvalidInput } from "secondwind";
import {
  type Receipt,
  receiptIn,
  receiptOf,
  resilience,
  resilientEmbeddingModel,
  resilientModel,
  SecondwindError,
} from "secondwind/ai-sdk";

/** Compiled by a project that has the AI SDK's types: what goes in and comes out are its own. */
export function wrapped(primary: LanguageModelV3, fallback: LanguageModelV3): LanguageModelV3 {
  const model = resilientModel([primary, fallback], { maxDelayMs: 30_000 }, { cancelGraceMs: 100 });
  model.subscribe((event) => event.type);
  return model;
}

export const middleware: LanguageModelV3Middleware = resilience();

export const embedding = (model: EmbeddingModelV3): EmbeddingModelV3 => resilientEmbeddingModel(model);

export async function ask(model: LanguageModelV3): Promise<Receipt | undefined> {
  try {
    const { providerMetadata } = await model.doGenerate({ prompt: [] });
    return receiptIn(providerMetadata);
  } catch (error) {
    if (error instanceof SecondwindError) return error.receipt;
    if (error instanceof InvalidInput) throw error;
    return receiptOf(error);
  }
}

// @ts-expect-error a model is an object, not an id
export const wrong = (): unknown => resilientModel("openai/gpt-5.4");
