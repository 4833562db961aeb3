import type { Assembly } from "../../assembly/index.ts";
import {
  type GenerationEvent,
  type Listener,
  type PreparedPolicy,
  preparePolicy,
  StreamGeneration,
} from "../../kernel/index.ts";
import { toError } from "../../library/secondwind-error.ts";
import { setupOf } from "../../library/setup.ts";
import { textOf } from "../../library/text-of.ts";
import type { ProviderEvent } from "../../providers/provider.ts";
import { adaptPolicy } from "../../session/adaptive-delay.ts";
import type { ExperienceBook } from "../../session/experience-book.ts";
import { splitSelector } from "../../session/selector.ts";
import { problemOf, readProviderEvent } from "../../turn/index.ts";
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
export function openExchange(input: ExchangeInput): StreamGeneration<ProviderEvent> {
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
  const prepared: PreparedPolicy = preparePolicy(config.policy);
  return new StreamGeneration<ProviderEvent>(
    {
      ...setupOf(config.policy, {
        targets: [{ provider, model, credentials: entry?.credentials ?? [] }],
        ports,
        health,
        on: hear,
      }),
      policy: experience === undefined ? prepared : adaptPolicy(prepared, () => last && experience.find(last)),
      inspect: (event) => readProviderEvent(event, problemOf),
      // What a line printer has printed stays printed.
      sink: "committed",
      textOf,
      toError,
    },
    ({ target, signal }) => {
      if (entry === undefined) throw new Error(`Nobody knows a provider named ${provider}`);
      const credential = target.credential === "" ? {} : { credential: target.credential };
      return entry.provider.stream({ model: target.model, ...credential, messages }, signal);
    },
    // A person who cancels gives up: the last failure stays the reason.
    undefined,
    "",
  );
}
