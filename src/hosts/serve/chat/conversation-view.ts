import type { PlacedEntry } from "../../../session/record/context.ts";
import type { ConversationLine, ConversationState } from "../../../wire/http/chat.ts";
import type { Message, SessionEntry } from "../../../wire/index.ts";
import { isRunElsewhere, openOwner } from "./turn-owner.ts";

/** So many entries from the end show how a conversation stands. */
export const STATE_ENTRIES = 8;

/** How a conversation stands, if no turn of it runs here. The end of its entries is enough. */
export function restingState(entries: readonly SessionEntry[]): ConversationState {
  for (const entry of entries.toReversed()) {
    if (entry.type === "turn_end") return STATE_OF_END[entry.data.status];
    if (entry.type === "message") return stateAfter(entry.data);
    // Accepted, and its process ended before it was sent.
    if (entry.type === "turn" || entry.type === "prompt") return "interrupted";
  }
  return "idle";
}

const STATE_OF_END = { done: "idle", error: "failed", aborted: "aborted", interrupted: "interrupted" } as const;

/** A turn of another host leaves no end, only its last message. */
function stateAfter(message: Message): ConversationState {
  if (message.role !== "assistant") return "interrupted";
  if (message.stopReason === "error") return "failed";
  if (message.stopReason === "aborted") return "aborted";
  return message.parts.some(({ type }) => type === "tool-call") ? "interrupted" : "idle";
}

/** How a conversation stands, if no turn of it runs in this process. Needs all entries: its turn may have begun long ago. */
export function stateElsewhere(entries: readonly SessionEntry[]): ConversationState {
  return isRunElsewhere(openOwner(entries)) ? "running" : restingState(entries);
}

/** What a person sees of a conversation, in order. */
export function linesOf(entries: readonly PlacedEntry[]): readonly ConversationLine[] {
  const lines: ConversationLine[] = [];
  let turnId: string | undefined;
  for (const { seq, at, ...entry } of entries) {
    const place = { seq, at };
    switch (entry.type) {
      case "turn":
        turnId = entry.data.turnId;
        break;
      case "turn_end":
        turnId = undefined;
        break;
      case "message":
        lines.push({ type: "message", ...place, ...(turnId !== undefined && { turnId }), message: plain(entry.data) });
        break;
      case "model_change": {
        const { from, to, reason } = entry.data;
        lines.push({ type: "model-change", ...place, from, to, reason });
        break;
      }
      case "compaction":
        lines.push({ type: "compaction", ...place });
        break;
      case "prompt":
      case "prompt_dropped":
      case "rewind":
        break;
      default:
        entry satisfies never;
    }
  }
  return lines;
}

/** What was chosen for the last turn. */
export function lastPolicy(entries: readonly SessionEntry[]): string | undefined {
  const turn = entries.findLast((entry) => entry.type === "turn");
  return turn?.type === "turn" ? turn.data.policy : undefined;
}

/** Which prompt a message was is the store's business, and what a provider wants back is not for clients. */
function plain(message: Extract<SessionEntry, { type: "message" }>["data"]): Message {
  if (message.role === "user") return { role: message.role, content: message.content };
  if (message.role === "tool") return message;
  const parts = message.parts.map((part) => {
    if (part.type === "text") return part;
    const { providerData: _, ...rest } = part;
    return rest;
  });
  return { ...message, parts };
}
