import type { Message, SessionEvent } from "../../../wire/index.ts";
import { addNotice } from "./add-item.ts";
import { assistantItem, isBare } from "./assistant-item.ts";
import type { ChatState } from "./chat-state.ts";
import { edit } from "./editor.ts";
import { hearRetry } from "./hear-retry.ts";
import type { AssistantItem, Item } from "./item.ts";
import { endWait } from "./wait.ts";

/** Applies a session event to the screen. */
export function hearEvent(state: ChatState, event: SessionEvent, atMs: number): ChatState {
  switch (event.type) {
    case "agent_start":
      return { ...state, isBusy: true, isFailureTold: false };
    case "agent_end":
      return endTurn(state, event);
    case "message_start":
      return event.role === "assistant" ? startAnswer(state, event.messageId) : state;
    case "message_delta": {
      const { kind, delta } = event;
      const field = kind === "text" ? "text" : "reasoning";
      return changeAnswer(state, event.messageId, (item) => ({ ...item, [field]: item[field] + delta }));
    }
    case "message_end":
      return endMessage(state, event.messageId, event.message);
    case "message_discard":
      return { ...state, items: state.items.filter(({ id }) => id !== event.messageId), isFailureTold: false };
    case "tool_start": {
      const { toolCallId: id, toolName: name, arguments: args } = event;
      return { ...state, items: [...state.items, { kind: "tool", id, name, arguments: args }] };
    }
    case "tool_end": {
      const { toolCallId, content, isError } = event;
      const isCall = (item: Item): boolean => item.kind === "tool" && item.id === toolCallId;
      const items = state.items.map((item) => (isCall(item) ? { ...item, result: { content, isError } } : item));
      return { ...state, items, waits: endWait(state.waits, toolCallId) };
    }
    case "steering": {
      const at = state.pending.indexOf(event.content);
      return at === -1 ? state : { ...state, pending: state.pending.toSpliced(at, 1) };
    }
    case "compaction_start":
      return addNotice(state, "info", "Compacting the context…");
    case "compaction_end":
      if (event.success) return addNotice(state, "info", "Context compacted.");
      return addNotice(state, "error", `Compaction failed: ${event.error ?? "unknown error"}`);
    case "model_change":
      return changeModel(state, event);
    case "auto_retry_start":
    case "auto_retry_end":
    case "retry_fallback_applied":
    case "retry_fallback_succeeded":
      return hearRetry(state, event, atMs);
    case "warning":
      // Not shown: the message goes back into the input when the turn ends.
      return event.code === "dropped" ? state : addNotice(state, "warn", event.message);
    default:
      return event satisfies never;
  }
}

function startAnswer(state: ChatState, id: string): ChatState {
  const item: AssistantItem = { kind: "assistant", id, text: "", reasoning: "", isStreaming: true };
  // The answer has begun: no wait is left, whatever the clock shows.
  const waits = endWait(state.waits, undefined);
  return { ...state, items: [...state.items, item], waits };
}

function changeAnswer(state: ChatState, id: string, change: (item: AssistantItem) => AssistantItem): ChatState {
  return {
    ...state,
    items: state.items.map((item) => (item.id === id && item.kind === "assistant" ? change(item) : item)),
  };
}

function endMessage(state: ChatState, id: string, message: Message): ChatState {
  if (message.role === "user")
    return { ...state, items: [...state.items, { kind: "user", id, text: message.content }] };
  if (message.role === "tool") return state;
  const { model, stopReason, usage } = message;
  const provider = model.slice(0, model.indexOf("/"));
  const outcome = stopReason === "error" ? "failing" : "ok";
  const item = assistantItem(id, message);
  const items = isBare(item)
    ? state.items.filter((other) => other.id !== id)
    : changeAnswer(state, id, () => item).items;
  return {
    ...state,
    items,
    isFailureTold: stopReason === "error",
    tokens: {
      input: state.tokens.input + (usage?.inputTokens ?? 0),
      output: state.tokens.output + (usage?.outputTokens ?? 0),
    },
    // A stopped answer does not change the provider's health.
    ...(stopReason !== "aborted" && { lastOutcomes: new Map(state.lastOutcomes).set(provider, outcome) }),
  };
}

function changeModel(state: ChatState, event: Extract<SessionEvent, { type: "model_change" }>): ChatState {
  const seen = [...new Set([...state.seen, event.to])];
  const changed = { ...state, model: event.to, seen };
  if (event.reason === "restored") return addNotice(changed, "info", `Back to ${event.to}`);
  if (event.reason === "chosen") return addNotice(changed, "info", `Model: ${event.to}`);
  // `retry_fallback_applied` announces a fallback.
  return changed;
}

function endTurn(state: ChatState, { status, error }: Extract<SessionEvent, { type: "agent_end" }>): ChatState {
  const ended: ChatState = { ...state, isBusy: false, waits: [], moved: [], pending: [] };
  const shown = status === "error" && !state.isFailureTold ? addNotice(ended, "error", error ?? "Failed.") : ended;
  if (state.pending.length === 0) return shown;
  // Messages that the agent has not read go back into the input.
  const unread = [...state.pending, state.editor.text].filter((text) => text !== "").join("\n");
  const cleared = edit(shown.editor, { type: "clear" });
  return { ...shown, editor: { ...cleared, text: unread, cursor: unread.length, draft: "" } };
}
