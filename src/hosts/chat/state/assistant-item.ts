import { remarkOf } from "../../../session/record/markdown-of.ts";
import type { AssistantMessage } from "../../../wire/index.ts";
import type { AssistantItem } from "./item.ts";

/** A finished answer. */
export function assistantItem(id: string, message: AssistantMessage): AssistantItem {
  const remark = remarkOf(message);
  const tone = message.stopReason === "error" || message.stopReason === "content-filter" ? "error" : "info";
  return {
    kind: "assistant",
    id,
    text: textOf(message, "text"),
    reasoning: textOf(message, "reasoning"),
    isStreaming: false,
    ...(remark !== undefined && { remark: { tone, text: remark } }),
  };
}

/** Nothing to show: an answer that only calls tools. */
export function isBare({ text, reasoning, remark }: AssistantItem): boolean {
  return text === "" && reasoning === "" && remark === undefined;
}

function textOf({ parts }: AssistantMessage, type: "text" | "reasoning"): string {
  return parts.map((part) => (part.type === type ? part.text : "")).join("");
}
