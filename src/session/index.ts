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
export type { OnKept } from "./accept-prompt.ts";
export { AgentSession } from "./agent-session.ts";
export type { SessionListener } from "./announcer.ts";
export { summarise } from "./compaction.ts";
export type {
  AskModel,
  Compactor,
  ProviderEntry,
  ProviderSet,
  SessionOptions,
  SessionParts,
  SettingsPort,
} from "./parts.ts";
export { NO_RETRIES, RetryCounter } from "./retry-tally.ts";
export type { PromptResult } from "./run-prompt.ts";
export { createTools } from "./tools/index.ts";
