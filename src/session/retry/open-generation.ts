import { chainOf, type Failure, type GenerationEvent, type StreamGeneration } from "../../kernel/index.ts";
import { type ModelCallInput, type ModelEvent, openModelCall } from "../../providers/open-model-call.ts";
import { checkSelector } from "../../wire/selector.ts";
import { keepJournal } from "../record/keep-journal.ts";
import type { SessionCore } from "../session-core.ts";
import { chainFor, entriesFor, warningsOf } from "./chain-for.ts";
import type { LiveGeneration } from "./live-generations.ts";
import { policyFor } from "./policy-for.ts";
import { RetryVoice } from "./retry-voice.ts";

export interface GenerationInput extends Pick<ModelCallInput, "request" | "sink"> {
  readonly role: string;
  /** The model that the role's chain starts from. */
  readonly primary: string;
  /** The model that answers this role now. */
  readonly active: string;
  readonly signal: AbortSignal;
  /** Whose call it is, if not the prompt's own. */
  readonly origin?: string;
  /** Hears the engine's events before they are translated. */
  readonly onEvent?: (event: GenerationEvent) => void;
  readonly onModel?: (model: string) => void;
}

export interface OpenGeneration {
  readonly generation: StreamGeneration<ModelEvent>;
  /** Announces how it ended and returns whether there was any retry. To be called once. */
  end(): { readonly wasRetried: boolean };
}

/** One call of a model with all that the session adds: its chain, its policy, its dialect, its place among the living. */
export function openGeneration(core: SessionCore, input: GenerationInput): OpenGeneration {
  const { parts, settings, ports, recorder } = core;
  const { provider } = checkSelector("model", input.primary);
  const experience = parts.isAdaptive?.(provider) === false ? undefined : core.experience;
  const chain = chainFor(input.role, input.primary, settings);
  const targets = entriesFor(chain, parts.providers);
  warnOfSkipped(core, [...warningsOf(input.role, chain), ...chainOf(targets).warnings]);

  let last: Failure | undefined;
  const policy = policyFor({ ...core, experience }, provider, () => last && experience?.find(last));
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
  const write = journal && keepJournal(journal, core.conversationId, ports);
  const hear = (event: GenerationEvent): void => {
    if (event.type === "attempt-end") last = event.failure;
    core.retries.hear(event);
    const isRetry = event.type === "wait-start" || event.type === "target-switch";
    if (isRetry && own.isCancelled) return void generation.giveUp();
    input.onEvent?.(event);
    learn?.(event);
    write?.(event);
    voice.hear(event);
  };

  const generation: StreamGeneration<ModelEvent> = openModelCall({
    ...{ targets, policy, ports, health: parts.health, on: hear, signal: input.signal },
    ...{ sink: input.sink, request: input.request },
    isEnabled: () => core.settings.enabled,
    providerOf: (name) => parts.providers.get(name)?.provider,
    // The failing answer has left the context and is on the disk before the next call is made.
    beforeAttempt: () => recorder.flushed(),
  });
  const isNested = input.origin !== undefined;
  const own: LiveGeneration = { handle: generation, voice, isNested, isCancelled: false, isOverruled: false };
  const leave = core.live.add(own);
  return {
    generation,
    end() {
      leave();
      voice.end(generation);
      return { wasRetried: voice.wasRetried };
    },
  };
}

function warnOfSkipped({ warned, recorder }: SessionCore, warnings: readonly string[]): void {
  for (const message of warnings) {
    if (warned.has(message)) continue;
    warned.add(message);
    recorder.announce({ type: "warning", message });
  }
}
