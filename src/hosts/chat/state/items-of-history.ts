import type { Message, SessionEntry } from "../../../wire/index.ts";
import { assistantItem, isBare } from "./assistant-item.ts";
import type { Item } from "./item.ts";

/** The transcript of a resumed conversation, as if it had stayed open. */
export function itemsOfHistory(entries: readonly SessionEntry[]): readonly Item[] {
  const items: Item[] = [];
  let failed: Item | undefined;
  entries.forEach((entry, index) => {
    const id = `kept-${index}`;
    if (entry.type === "compaction") items.push({ kind: "notice", id, tone: "info", text: "Context compacted." });
    if (entry.type !== "message") return;
    const message = entry.data;
    // A failed answer that was retried does not show; only the last one of a turn does.
    if (message.role === "user" && failed !== undefined) items.push(failed);
    failed = undefined;
    if (message.role === "assistant" && message.stopReason === "error") failed = assistantItem(id, message);
    else addMessage(items, id, message);
  });
  return failed === undefined ? items : [...items, failed];
}

function addMessage(items: Item[], id: string, message: Message): void {
  switch (message.role) {
    case "user":
      items.push({ kind: "user", id, text: message.content });
      return;
    case "assistant": {
      const item = assistantItem(id, message);
      if (!isBare(item)) items.push(item);
      for (const part of message.parts) {
        if (part.type === "tool-call") {
          items.push({ kind: "tool", id: part.id, name: part.name, arguments: part.arguments });
        }
      }
      return;
    }
    case "tool": {
      const { toolCallId, content, isError } = message;
      const at = items.findLastIndex((item) => item.kind === "tool" && item.id === toolCallId);
      const call = items[at];
      if (call?.kind === "tool") items[at] = { ...call, result: { content, isError } };
      return;
    }
    default:
      message satisfies never;
  }
}
