export type { FailureKind } from "../../kernel/index.ts";
export type {
  AssistantMessage,
  AssistantPart,
  AutoRetryEnd,
  AutoRetryStart,
  FailureFacts,
  Message,
  ModelChange,
  RetryEvent,
  RetryFallbackApplied,
  RetryFallbackSucceeded,
  RetryTally,
  RpcCommand,
  RpcOutput,
  RpcResponse,
  RpcState,
  SessionEvent,
  SomeFacts,
  StatusTally,
  ToolCallPart,
  ToolMessage,
  Usage,
  UserMessage,
  WithId,
  WithOrigin,
} from "../../wire/index.ts";
export { RpcClient, type RpcListener, type RpcTransport } from "./rpc-client.ts";
export type { ProgramOptions } from "./start-program.ts";
