export type { ToolContext, ToolQuestion } from "../turn/index.ts";
export type {
  AutoRetryEnd,
  AutoRetryStart,
  Message,
  ModelChange,
  RetryEvent,
  RetryFallbackApplied,
  RetryFallbackSucceeded,
  RetrySettings,
  SessionEvent,
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
export type { SessionListener } from "./record/announcer.ts";
export { NO_RETRIES, RetryCounter } from "./retry/retry-tally.ts";
export { createTools } from "./tools/index.ts";
