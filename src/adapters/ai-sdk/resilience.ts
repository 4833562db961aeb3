import type { LanguageModelV3, LanguageModelV3Middleware } from "@ai-sdk/provider";
import type { Policy, PolicyInput } from "../../kernel/index.ts";
import { checkModels } from "./check-models.ts";
import { chainModels, openDoor, type ResilientModelOptions } from "./door.ts";
import { answerGenerator } from "./generate-answer.ts";
import type { Observed } from "./resilient-model.ts";
import { answerStreamer } from "./stream-answer.ts";

/** Middleware that makes every call of a model one generation. */
export type Resilience = LanguageModelV3Middleware & Observed;

interface Wrapped {
  readonly generate: ReturnType<typeof answerGenerator>;
  readonly stream: ReturnType<typeof answerStreamer>;
}

/**
 * Middleware for `wrapLanguageModel` and `wrapProvider`. All models wrapped with one of them share breaker, cooldowns and retry
 * budget. For fallbacks: `resilientModel`.
 *
 * ```ts
 * const model = wrapLanguageModel({ model: openai("gpt-5.4"), middleware: resilience() });
 * ```
 */
export function resilience(policy?: Policy | PolicyInput, options: ResilientModelOptions = {}): Resilience {
  const door = openDoor(policy, options, []);
  // By model: one middleware may wrap any number of them.
  const known = new WeakMap<LanguageModelV3, Wrapped>();
  const wrap = (model: LanguageModelV3): Wrapped => {
    const chained = chainModels(door, checkModels(model, ["doGenerate", "doStream"]));
    const wrapped = { generate: answerGenerator(chained), stream: answerStreamer(chained) };
    known.set(model, wrapped);
    return wrapped;
  };
  return {
    specificationVersion: "v3",
    // Not by the functions that come along: those would not take the attempt's signal.
    wrapGenerate: async ({ model, params }) => (known.get(model) ?? wrap(model)).generate(params),
    wrapStream: async ({ model, params }) => (known.get(model) ?? wrap(model)).stream(params),
    policy: door.setup.policy.policy,
    subscribe: door.subscribe,
  };
}
