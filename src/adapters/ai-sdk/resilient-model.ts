import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { Listener, Policy, PolicyInput } from "../../kernel/index.ts";
import { checkModels } from "./check-models.ts";
import { chainModels, openDoor, type ResilientModelOptions } from "./door.ts";
import { answerGenerator } from "./generate-answer.ts";
import { answerStreamer } from "./stream-answer.ts";
import { supportedUrls } from "./supported-urls.ts";

/** What every wrapper of this module has besides. */
export interface Observed {
  readonly policy: Policy;
  /** Receives the events of every call from now on. Returns a function that unsubscribes. */
  subscribe(listener: Listener): () => void;
}

/** A model whose every call is one generation: retried, switched and waited for by its policy. */
export type ResilientModel = LanguageModelV3 & Observed;

/**
 * One model out of several: the first is called, the others are its fallbacks, of any provider. Neighbours of the same provider and
 * name are one model with several keys.
 *
 * ```ts
 * const model = resilientModel([openai("gpt-5.4"), anthropic("claude-sonnet-5")]);
 * const { text } = await generateText({ model, prompt: "Why is the sky blue?" });
 * ```
 */
export function resilientModel(
  models: LanguageModelV3 | readonly LanguageModelV3[],
  policy?: Policy | PolicyInput,
  options: ResilientModelOptions = {},
): ResilientModel {
  const checked = checkModels(models, ["doGenerate", "doStream"]);
  const door = openDoor(policy, options, checked);
  const chained = chainModels(door, checked);
  const { provider, modelId } = chained.primary;
  return {
    specificationVersion: "v3",
    provider,
    modelId,
    get supportedUrls() {
      return supportedUrls(checked);
    },
    doGenerate: answerGenerator(chained),
    doStream: answerStreamer(chained),
    policy: door.setup.policy.policy,
    subscribe: door.subscribe,
  };
}
