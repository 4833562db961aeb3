import type { EmbeddingModelV3, EmbeddingModelV3CallOptions, EmbeddingModelV3Result } from "@ai-sdk/provider";
import { type CallSetup, InvalidInput, type Policy, type PolicyInput } from "../../kernel/index.ts";
import { callModel, present } from "./call-model.ts";
import { checkModels } from "./check-models.ts";
import { chainModels, openDoor, type ResilientModelOptions } from "./door.ts";
import type { Observed } from "./resilient-model.ts";

export type ResilientEmbeddingModel = EmbeddingModelV3 & Observed;

/**
 * An embedding model whose every call is one generation. Several models must be the same one with other keys or at other
 * providers: vectors of two models cannot be compared.
 */
export function resilientEmbeddingModel(
  models: EmbeddingModelV3 | readonly EmbeddingModelV3[],
  policy?: Policy | PolicyInput,
  options: ResilientModelOptions = {},
): ResilientEmbeddingModel {
  const checked = checkModels(models, ["doEmbed"]);
  checkSameSpace(checked);
  const door = openDoor(policy, options, checked);
  const chained = chainModels(door, checked);
  const { provider, modelId } = chained.primary;
  const call = (model: EmbeddingModelV3, given: EmbeddingModelV3CallOptions) =>
    model.doEmbed(given).then((result) => checkVectors(result, given.values.length));
  // A vector has no text that could be required.
  const setup: CallSetup = chained.setup.for({ textOf: () => true as const, present });
  return Object.assign(extrasOf(chained.primary), {
    specificationVersion: "v3" as const,
    provider,
    modelId,
    maxEmbeddingsPerCall: leastPerCall(checked),
    supportsParallelCalls: allParallel(checked),
    doEmbed: (given: EmbeddingModelV3CallOptions) => callModel({ chained, setup, options: given, call }),
    policy: door.setup.policy.policy,
    subscribe: door.subscribe,
  });
}

function checkSameSpace(models: readonly EmbeddingModelV3[]): void {
  const [primary] = models;
  models.forEach(({ modelId }, index) => {
    if (modelId === primary?.modelId) return;
    const allowed = `"${primary?.modelId}", like the first: vectors of two models cannot be compared`;
    throw new InvalidInput(`models[${index}].modelId`, modelId, allowed);
  });
}

/** What the AI SDK finds under symbols: limits of the input, how a call is split. */
function extrasOf(primary: EmbeddingModelV3): object {
  const symbols = Object.getOwnPropertySymbols(primary);
  return Object.fromEntries(symbols.map((symbol) => [symbol, (primary as unknown as Record<symbol, unknown>)[symbol]]));
}

/** A vector for each text, or none of them is of use. */
function checkVectors(result: EmbeddingModelV3Result, count: number): EmbeddingModelV3Result {
  const { length } = result.embeddings;
  if (length === count) return result;
  throw Object.assign(new Error(`${length} vectors came for ${count} texts`), { code: "malformed_response" });
}

/** Either of them may be called. */
function leastPerCall(models: readonly EmbeddingModelV3[]): EmbeddingModelV3["maxEmbeddingsPerCall"] {
  if (models.length === 1) return models[0]?.maxEmbeddingsPerCall;
  return Promise.all(models.map((model) => model.maxEmbeddingsPerCall)).then((all) => {
    const limits = all.filter((limit) => limit !== undefined);
    return limits.length === 0 ? undefined : Math.min(...limits);
  });
}

function allParallel(models: readonly EmbeddingModelV3[]): EmbeddingModelV3["supportsParallelCalls"] {
  if (models.length === 1) return models[0]?.supportsParallelCalls ?? false;
  return Promise.all(models.map((model) => model.supportsParallelCalls)).then((all) => all.every(Boolean));
}
