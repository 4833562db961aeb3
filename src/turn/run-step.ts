import type { Receipt } from "../kernel/index.ts";
import type { ModelEvent } from "../providers/open-model-call.ts";
import type { FinishReason } from "../providers/provider.ts";
import { verbatimOf } from "../providers/verbatim-of.ts";
import type { AssistantMessage, Message, ToolCallPart } from "../wire/message.ts";
import { selectorOf } from "../wire/selector.ts";
import { AssistantDraft } from "./assistant-draft.ts";
import { openStep, type StepRequest } from "./open-step.ts";
import { codeOf } from "./turn-policy.ts";
import type { TellTurn } from "./turn-voice.ts";

/** How a step ended. */
export type StepOutcome = { readonly receipt: Receipt } & (
  | {
      readonly type: "whole";
      readonly message: AssistantMessage;
      readonly calls: readonly ToolCallPart[];
      readonly finishReason: FinishReason;
    }
  | { readonly type: "failed"; readonly message: AssistantMessage; readonly error: string; readonly code?: string }
  | { readonly type: "aborted"; readonly message: AssistantMessage }
);

/** One answer of the model, emitted as it arrives. */
export async function runStep(
  turn: StepRequest["turn"],
  messages: readonly Message[],
  tell: TellTurn,
): Promise<StepOutcome> {
  const { system, tools = [] } = turn;
  let draft = new AssistantDraft(selectorOf({ provider: turn.provider.name, model: turn.model }));
  const { generation, note } = openStep({
    turn,
    request: {
      ...(system !== undefined && { system }),
      messages,
      ...(tools.length > 0 && { tools: tools.map(({ spec }) => spec) }),
    },
    onWait: (wait) => tell({ type: "provider-retry", ...wait }),
    // Another model of the chain may answer. Nothing of an earlier attempt was given out: after content there is no other attempt.
    onEvent: (event) => {
      if (event.type === "attempt-start") draft = new AssistantDraft(selectorOf(event.target));
    },
  });
  try {
    for await (const event of generation) {
      draft.add(event);
      note(event);
      tellEvent(event, tell);
    }
  } catch (thrown) {
    const { failure, receipt } = generation;
    if (turn.signal?.aborted === true) return { type: "aborted", message: draft.breakOff("aborted"), receipt };
    const error = failure === undefined ? String(thrown) : verbatimOf(failure);
    const code = failure && codeOf(failure);
    const message = draft.breakOff("error", error);
    return { type: "failed", message, error, ...(code !== undefined && { code }), receipt };
  }
  const { toolCalls: calls, finishReason } = draft;
  return { type: "whole", message: draft.finish(), calls, finishReason, receipt: generation.receipt };
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
