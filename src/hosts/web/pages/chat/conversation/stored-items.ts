import type { ConversationLine } from "../../../../../wire/http/chat.ts";
import type { AssistantMessage } from "../../../../../wire/message.ts";
import type { ChatItem } from "./chat-item.ts";

/** A part of a conversation that belongs together: one turn, or what stands between two. */
export interface StoredTurn {
  /** Absent: from before turns had ids, or between turns. */
  readonly turnId?: string;
  readonly items: readonly ChatItem[];
}

/** What the stored lines show, turn by turn. */
export function storedTurns(lines: readonly ConversationLine[]): readonly StoredTurn[] {
  const turns: { turnId?: string; items: ChatItem[] }[] = [];
  for (const line of lines) {
    const turnId = line.type === "message" ? line.turnId : turns.at(-1)?.turnId;
    const last = turns.at(-1);
    const turn =
      last !== undefined && last.turnId === turnId ? last : { ...(turnId !== undefined && { turnId }), items: [] };
    if (turn !== last) turns.push(turn);
    add(turn.items, line, turnId ?? "");
  }
  return turns;
}

function add(items: ChatItem[], line: ConversationLine, turnId: string): void {
  const key = `stored:${line.seq}`;
  if (line.type === "compaction") return void items.push({ type: "compaction", key });
  if (line.type === "model-change") {
    const { from, to, reason } = line;
    return void items.push({ type: "model-change", key, from, to, reason });
  }
  const { message } = line;
  switch (message.role) {
    case "user": {
      const isSteering = items.some(({ type }) => type === "user");
      return void items.push({ type: "user", key, text: message.content, seq: line.seq, isSteering });
    }
    case "tool": {
      const at = items.findLastIndex((item) => item.type === "tool" && item.callId === message.toolCallId);
      const call = items[at];
      const { content, isError } = message;
      if (call?.type === "tool") items[at] = { ...call, result: { content, isError } };
      return;
    }
    case "assistant":
      return void items.push(...assistantItems(message, key, turnId, stepOf(items)));
  }
}

function stepOf(items: readonly ChatItem[]): number {
  return 1 + items.filter(({ key }) => key.endsWith(":a")).length;
}

function assistantItems(message: AssistantMessage, key: string, turnId: string, step: number): ChatItem[] {
  const items: ChatItem[] = message.parts
    .filter((part) => part.type === "tool-call" || part.text !== "")
    .map((part, at): ChatItem => {
      const partKey = `${key}:${at}`;
      if (part.type === "tool-call")
        return { type: "tool", key: partKey, callId: part.id, name: part.name, arguments: part.arguments };
      return { type: part.type, key: partKey, text: part.text, isStreaming: false };
    });
  // The key's end counts the steps.
  const endKey = `${key}:a`;
  switch (message.stopReason) {
    case "error":
      return [
        ...items,
        {
          type: "error",
          key: endKey,
          message: message.errorMessage ?? "",
          isAfterContent: items.some(({ type }) => type === "text"),
        },
      ];
    case "tool-use":
      return [...items, { type: "end", key: endKey, turnId, step, end: "step" }];
    case "end":
      return [...items, { type: "end", key: endKey, turnId, step, end: "complete" }];
    default:
      return [...items, { type: "end", key: endKey, turnId, step, end: message.stopReason }];
  }
}
