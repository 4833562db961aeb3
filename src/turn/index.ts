export type { Health, Listener, Policy, Ports, Receipt, TargetEntry } from "../kernel/index.ts";
export type { OnHead } from "../providers/line/one-call.ts";
export type { ModelEvent } from "../providers/open-model-call.ts";
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
  AssistantMessage,
  AssistantPart,
  Message,
  ToolCallPart,
  ToolMessage,
  Usage,
  UserMessage,
} from "../wire/message.ts";
export type * from "../wire/turn-event.ts";
export { AssistantDraft } from "./assistant-draft.ts";
export { patientStrategy, type RetryStrategy } from "./retry-strategy.ts";
export { runToolCalls, type ToolCallsInput } from "./run-tool-calls.ts";
export { runTurn } from "./run-turn.ts";
export type { RunTurnInput, TurnResult } from "./run-turn-input.ts";
export type { Tool, ToolContext, ToolQuestion } from "./tool.ts";
export type { StepWatch, TurnEngine } from "./turn-engine.ts";
export { untilAborted } from "./until-aborted.ts";
