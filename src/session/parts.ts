import type { Health, Policy, PolicyInput, Ports } from "../kernel/index.ts";
import type { FinishReason, Provider } from "../providers/provider.ts";
import type { ConversationStore, ExperienceStore, JournalStore } from "../store/store.ts";
import type { Tool, ToolContext } from "../turn/index.ts";
import type { Message, PieceRedactor, Redact, RetrySettings } from "../wire/index.ts";
import type { ExtensionSource } from "./extensions/extension.ts";
import type { RetryCounter } from "./retry/retry-tally.ts";

/** A provider with the ids of the credentials that may be used with it, in order. Empty: it can't be used. */
export interface ProviderEntry {
  readonly provider: Provider;
  readonly credentials: readonly string[];
}

/** By the provider's name, as selectors have it. */
export type ProviderSet = ReadonlyMap<string, ProviderEntry>;

/** Stores the settings group `retry`. */
export interface SettingsPort {
  /** As stored; the session repairs what is damaged. */
  read(): Promise<unknown>;
  /** Only what is given is changed. */
  write(changes: Partial<RetrySettings>): Promise<void>;
}

/** Asks a model of a role for a text, with separate retries and fallback. */
export type AskModel = ToolContext["ask"];

/** Makes a summary of what is to leave the context. Rejects if it can't. */
export type Compactor = (older: readonly Message[], ask: AskModel, signal: AbortSignal) => Promise<string>;

/** What a session is built from. */
export interface SessionParts {
  readonly providers: ProviderSet;
  /** For a conversation that has no model yet, and a chain that names none. */
  readonly defaultModel?: string;
  readonly conversations: ConversationStore;
  readonly settings: SettingsPort;
  /** Shared by all sessions of the process: what one has learned about a key, the others know. */
  readonly health: Health;
  readonly ports?: Ports;
  /** Removes the secrets from what is stored, announced and sent to a model. Default: removes nothing. */
  readonly redact?: Redact;
  /** The same for an answer while it streams. Default: a secret that is spread over several deltas shows in them. */
  readonly redactPieces?: () => PieceRedactor;
  readonly tools?: readonly Tool[];
  /** Loaded when the session is opened, and unloaded when it is closed. */
  readonly extensions?: readonly ExtensionSource[];
  /** Names of the host's own slash commands, without the slash: an extension can't take them. */
  readonly commandNames?: readonly string[];
  readonly compact?: Compactor;
  /** The policy for the settings and the provider of the model that a step starts with. Default: the preset `session`. */
  readonly policy?: (settings: RetrySettings, provider: string) => Policy;
  /** C10: settings that differ for a provider. */
  readonly settingsFor?: (provider: string) => Partial<RetrySettings>;
  /** C10: changes to it by provider. The provider of the model that a step starts with counts. */
  readonly policies?: Readonly<Record<string, PolicyInput>>;
  /** Records each attempt as it ended. Default: none is recorded. */
  readonly journal?: JournalStore;
  /** C10: where adaptive delays learn. Default: delays are as the schedule says. */
  readonly experience?: ExperienceStore;
  /** Asked before each model call, for its provider. Default: true where there is an `experience`. */
  readonly isAdaptive?: (provider: string) => boolean;
  /** C7: counts retries. Sessions that share one are counted together. Default: a new one per session. */
  readonly retries?: RetryCounter;
  /**
   * Why an answer that the model has ended is none: it is recorded as failed, its tool calls are not run, and the prompt ends with
   * these words as its error. Default: every answer counts.
   */
  readonly shortfallOf?: (answer: { readonly finish: FinishReason; readonly hasText: boolean }) => string | undefined;
}

export interface SessionOptions {
  /** `provider/model`. Default: the conversation's. */
  readonly model?: string;
  /** Continues this conversation, or starts it under this id. Default: a new one. */
  readonly conversationId?: string;
  readonly system?: string;
  /**
   * `committed`: listeners can't take back what they showed, so nothing is retried after content, and of the attempts of an
   * answer only the last one is recorded. Default `retractable`.
   */
  readonly sink?: "retractable" | "committed";
  /** Default true. */
  readonly autoCompaction?: boolean;
  /** The size of the model's window: with it the context is compacted before it overflows. */
  readonly contextWindowTokens?: number;
  /** More steps than this end a prompt as an error. Default 100. */
  readonly maxSteps?: number;
}
