import type { Assembly } from "../../assembly/index.ts";
import { type GenerationEvent, type Listener, preparePolicy, type StreamGeneration } from "../../kernel/index.ts";
import { type ModelEvent, openModelCall } from "../../providers/open-model-call.ts";
import { adaptPolicy } from "../../session/adaptive-delay.ts";
import type { ExperienceBook } from "../../session/experience-book.ts";
import { splitSelector } from "../../session/selector.ts";
import type { Message } from "../../wire/index.ts";
import type { ConsoleConfig } from "./console-policy.ts";

export interface ExchangeInput {
  readonly assembly: Assembly;
  /** `provider/model`. */
  readonly model: string;
  readonly messages: readonly Message[];
  readonly config: ConsoleConfig;
  /** Where waits learn, if they are to. */
  readonly experience?: ExperienceBook;
  readonly on: Listener;
}

/** One question and its answer: one generation of the engine, the same for every client. Nothing here tries again. */
export function openExchange(input: ExchangeInput): StreamGeneration<ModelEvent> {
  const { assembly, model: selector, messages, config, experience } = input;
  const { providers, ports, health } = assembly;
  const { provider, model } = splitSelector(selector);
  const entry = providers.get(provider);
  const learn = experience?.watch();
  let last: Extract<GenerationEvent, { type: "attempt-end" }>["failure"];
  const hear: Listener = (event, generation) => {
    if (event.type === "attempt-end") last = event.failure;
    learn?.(event);
    input.on(event, generation);
  };
  const prepared = preparePolicy(config.policy);
  return openModelCall({
    policy: experience === undefined ? prepared : adaptPolicy(prepared, () => last && experience.find(last)),
    targets: [{ provider, model, credentials: entry?.credentials ?? [] }],
    ...{ ports, health, on: hear, request: { messages } },
    providerOf: () => entry?.provider,
    // What a line printer has printed stays printed.
    sink: "committed",
  });
}
