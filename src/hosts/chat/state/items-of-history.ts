import type { AssistantMessage, Message, SessionEntry } from "../../../wire/index.ts";
import { assistantItem } from "./assistant-item.ts";
import type { Item } from "./item.ts";

/** A conversation that is taken up again, as it would stand on the screen had it never been left. */
export function itemsOfHistory(entries: readonly SessionEntry[]): readonly Item[] {
  const items: Item[] = [];
  let failed: Item | undefined;
  entries.forEach((entry, index) => {
    const id = `kept-${index}`;
    if (entry.type === "compaction")
      items.push({ kind: "notice", id, tone: "info", text: "The context was compacted." });
    if (entry.type !== "message") return;
    const message = entry.data;
    // A failing answer that was tried again was taken off the screen; only the last word of a turn stays.
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
    case "assistant":
      items.push(...visible(id, message));
      for (const part of message.parts) {
        if (part.type === "tool-call") {
          items.push({ kind: "tool", id: part.id, name: part.name, arguments: part.arguments });
        }
      }
      return;
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

/** An answer that only calls tools is told by its calls. */
function visible(id: string, message: AssistantMessage): readonly Item[] {
  const item = assistantItem(id, message);
  return item.text === "" && item.reasoning === "" && item.remark === undefined ? [] : [item];
}
