export type { FailureKind, GenerationEvent, Health, Policy, PolicyInput, Ports } from "../kernel/index.ts";
export type { OnHead } from "../providers/line/one-call.ts";
export type {
  EmbedRequest,
  FinishReason,
  Provider,
  ProviderError,
  ProviderEvent,
  ProviderRequest,
  Sampling,
  ToolSpec,
} from "../providers/provider.ts";
export type {
  ConversationStore,
  ConversationSummary,
  Entry,
  Experience,
  ExperienceKey,
  ExperienceStore,
  JournalRecord,
  JournalStore,
  NewEntry,
} from "../store/store.ts";
export type { Tool, ToolContext, ToolQuestion } from "../turn/index.ts";
export type {
  AssistantMessage,
  AssistantPart,
  AutoRetryEnd,
  AutoRetryStart,
  FailureFacts,
  Message,
  ModelChange,
  PieceRedactor,
  Redact,
  RetryEvent,
  RetryFallbackApplied,
  RetryFallbackSucceeded,
  RetrySettings,
  RetryTally,
  SessionEvent,
  SomeFacts,
  StatusTally,
  ToolCallPart,
  ToolMessage,
  Usage,
  UserMessage,
  WithOrigin,
} from "../wire/index.ts";
export { AgentSession } from "./agent-session.ts";
export type {
  CommandContext,
  Extension,
  ExtensionApi,
  ExtensionCommand,
  ExtensionSession,
  ExtensionSource,
  ExtensionTool,
} from "./extensions/extension.ts";
export type { CommandInfo } from "./extensions/session-extensions.ts";
export type {
  AskModel,
  Compactor,
  ProviderEntry,
  ProviderSet,
  SessionOptions,
  SessionParts,
  SettingsPort,
} from "./parts.ts";
export type { OnKept } from "./prompt/accept-prompt.ts";
export { summarise } from "./prompt/compaction.ts";
export type { PromptResult } from "./prompt/run-prompt.ts";
export type { StepError } from "./prompt/run-step.ts";
export type { SessionListener } from "./record/announcer.ts";
export type { Tokens } from "./record/tokens-of.ts";
export { NO_RETRIES, RetryCounter } from "./retry/retry-tally.ts";
export { createTools } from "./tools/index.ts";
