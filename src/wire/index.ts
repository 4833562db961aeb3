export {
  type AssistantMessage,
  type AssistantPart,
  type Message,
  messageSchema,
  selectorSchema,
  type ToolCallPart,
  type ToolMessage,
  type Usage,
  type UserMessage,
} from "./message.ts";
export type { PieceRedactor, Redact } from "./redact.ts";
export { type RetrySettings, readRetrySettings, retrySettingsSchema } from "./retry-settings.ts";
export type { RetryTally, StatusTally } from "./retry-tally.ts";
export {
  type RpcCommand,
  type RpcOutput,
  type RpcResponse,
  type RpcState,
  rpcCommandSchema,
  type WithId,
} from "./rpc.ts";
export { type SessionEntry, sessionEntrySchema } from "./session-entry.ts";
export {
  type AutoRetryEnd,
  type AutoRetryStart,
  type FailureFacts,
  isSessionEventType,
  type ModelChange,
  type RetryEvent,
  type RetryFallbackApplied,
  type RetryFallbackSucceeded,
  SESSION_EVENT_TYPES,
  type SessionEvent,
  type SomeFacts,
  type WithOrigin,
} from "./session-event.ts";
export type * from "./turn-event.ts";
