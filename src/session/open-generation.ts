import { chainOf, type Failure, type GenerationEvent, type Sink, StreamGeneration } from "../kernel/index.ts";
import { toError } from "../library/secondwind-error.ts";
import { setupOf } from "../library/setup.ts";
import { textOf } from "../library/text-of.ts";
import type { ProviderEvent, ProviderRequest } from "../providers/provider.ts";
import { problemOf, readProviderEvent } from "../turn/index.ts";
import { chainFor, entriesFor, warningsOf } from "./chain-for.ts";
import { keepJournal } from "./keep-journal.ts";
import type { LiveGeneration } from "./live-generations.ts";
import { policyFor } from "./policy-for.ts";
import { RetryVoice } from "./retry-voice.ts";
import { splitSelector } from "./selector.ts";
import type { SessionCore } from "./session-core.ts";

/** What comes out of a step's generation: the provider's events, and a marker where those so far are taken back. */
export type StepItem = ProviderEvent | { readonly type: "discard" };

export interface ModelCallInput {
  readonly role: string;
  /** The model that the role's chain starts from. */
  readonly primary: string;
  /** The model that answers this role now. */
  readonly active: string;
  readonly request: Pick<ProviderRequest, "system" | "messages" | "tools">;
  readonly signal: AbortSignal;
  readonly sink: Sink<StepItem>;
  /** Whose call it is, if not the prompt's own. */
  readonly origin?: string;
  /** Hears the engine's events before they are translated. */
  readonly onEvent?: (event: GenerationEvent) => void;
  readonly onModel?: (model: string) => void;
}

export interface ModelCall {
  readonly generation: StreamGeneration<StepItem>;
  /** Tells how it ended, in the session's words, and answers whether there was any retry. To be called once. */
  end(): { readonly wasRetried: boolean };
}

/** One call of a model with all that the session adds: its chain, its policy, its dialect, its place among the living. */
export function openGeneration(core: SessionCore, input: ModelCallInput): ModelCall {
  const { parts, settings, experience, ports, recorder } = core;
  const chain = chainFor(input.role, input.primary, settings);
  const targets = entriesFor(chain, parts.providers);
  warnOfSkipped(core, [...warningsOf(input.role, chain), ...chainOf(targets).warnings]);

  let last: Failure | undefined;
  const policy = policyFor(core, splitSelector(input.primary).provider, () => last && experience?.find(last));
  const voice = new RetryVoice({
    frame: {
      role: input.role,
      primary: input.primary,
      maxAttempts: policy.schedules[policy.general]?.maxRetries ?? null,
      ...(input.origin !== undefined && { origin: input.origin }),
    },
    active: input.active,
    recorder,
    // A call beside the conversation does not change who leads it.
    isLeading: () => input.origin === undefined && !own.isOverruled,
    onModel: (model) => input.onModel?.(model),
  });
  const { journal } = parts;
  const learn = experience?.watch();
  const write = journal && keepJournal({ journal, conversationId: core.conversationId, ports });
  const hear = (event: GenerationEvent): void => {
    if (event.type === "attempt-end") last = event.failure;
    const isRetry = event.type === "wait-start" || event.type === "target-switch";
    if (isRetry && own.isCancelled) return void generation.giveUp();
    input.onEvent?.(event);
    learn?.(event);
    write?.(event);
    voice.hear(event);
  };

  const generation = new StreamGeneration<StepItem>(
    {
      ...setupOf(policy.policy, { targets, ports, health: parts.health, on: hear }),
      policy,
      inspect: (item) => (item.type === "discard" ? "noise" : readProviderEvent(item, problemOf)),
      sink: input.sink,
      textOf,
      toError,
    },
    async ({ target: { provider, model, credential }, signal }) => {
      // The failing answer has left the context and is on the disk before the next call is made.
      await recorder.flushed();
      const entry = parts.providers.get(provider);
      if (entry === undefined) throw new Error(`Nobody knows a provider named ${provider}`);
      return entry.provider.stream({ model, ...(credential !== "" && { credential }), ...input.request }, signal);
    },
    input.signal,
    "",
  );
  const own = liveOf(generation, voice, input.origin !== undefined);
  const leave = core.live.add(own);
  return {
    generation,
    end() {
      leave();
      voice.end(generation.reason, generation.failure);
      return { wasRetried: voice.wasRetried };
    },
  };
}

function liveOf(handle: StreamGeneration<StepItem>, voice: RetryVoice, isNested: boolean): LiveGeneration {
  return {
    handle,
    get attempt() {
      return voice.attempt;
    },
    get isRetrying() {
      return voice.isRetrying;
    },
    isNested,
    isCancelled: false,
    isOverruled: false,
  };
}

function warnOfSkipped({ warned, recorder }: SessionCore, warnings: readonly string[]): void {
  for (const message of warnings) {
    if (warned.has(message)) continue;
    warned.add(message);
    recorder.announce({ type: "warning", message });
  }
}
