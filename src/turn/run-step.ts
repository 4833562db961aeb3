import type { ModelEvent } from "../providers/open-model-call.ts";
import type { FinishReason } from "../providers/provider.ts";
import { verbatimOf } from "../providers/verbatim-of.ts";
import type { AssistantMessage, Message, ToolCallPart } from "../wire/message.ts";
import { AssistantDraft } from "./assistant-draft.ts";
import { openStep, type StepRequest } from "./open-step.ts";
import { codeOf } from "./turn-policy.ts";
import type { TellTurn } from "./turn-voice.ts";

/** How a step ended. */
export type StepOutcome =
  | {
      readonly type: "whole";
      readonly message: AssistantMessage;
      readonly calls: readonly ToolCallPart[];
      readonly finishReason: FinishReason;
    }
  | { readonly type: "failed"; readonly message: AssistantMessage; readonly error: string; readonly code?: string }
  | { readonly type: "aborted"; readonly message: AssistantMessage };

/** One answer of the model, emitted as it arrives. */
export async function runStep(
  turn: StepRequest["turn"],
  messages: readonly Message[],
  tell: TellTurn,
): Promise<StepOutcome> {
  const { system, tools = [] } = turn;
  const draft = new AssistantDraft(`${turn.provider.name}/${turn.model}`);
  const generation = openStep({
    turn,
    request: {
      ...(system !== undefined && { system }),
      messages,
      ...(tools.length > 0 && { tools: tools.map(({ spec }) => spec) }),
    },
    onWait: (wait) => tell({ type: "provider-retry", ...wait }),
  });
  try {
    for await (const event of generation) {
      draft.add(event);
      tellEvent(event, tell);
    }
  } catch (thrown) {
    if (turn.signal?.aborted === true) return { type: "aborted", message: draft.breakOff("aborted") };
    const { failure } = generation;
    const error = failure === undefined ? String(thrown) : verbatimOf(failure);
    const code = failure && codeOf(failure);
    return { type: "failed", message: draft.breakOff("error", error), error, ...(code !== undefined && { code }) };
  }
  const { toolCalls: calls, finishReason } = draft;
  return { type: "whole", message: draft.finish(), calls, finishReason };
}

function tellEvent(event: ModelEvent, tell: TellTurn): void {
  switch (event.type) {
    case "text":
      if (event.text !== "") tell({ type: "text-delta", text: event.text });
      return;
    case "reasoning":
      if (event.text !== "") tell({ type: "reasoning-delta", text: event.text });
      return;
    case "tool-call":
      tell({ type: "tool-call", toolCallId: event.id, toolName: event.name, arguments: event.arguments });
      return;
    case "usage":
      tell({ type: "usage", inputTokens: event.inputTokens, outputTokens: event.outputTokens });
      return;
    case "alive":
    case "finish":
    case "error":
    case "discard":
      return;
    default:
      event satisfies never;
  }
}
