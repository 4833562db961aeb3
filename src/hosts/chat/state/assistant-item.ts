import type { AssistantMessage } from "../../../wire/index.ts";
import type { AssistantItem } from "./item.ts";

/** A finished answer. */
export function assistantItem(id: string, message: AssistantMessage): AssistantItem {
  const remark = remarkOn(message);
  return {
    kind: "assistant",
    id,
    text: textOf(message, "text"),
    reasoning: textOf(message, "reasoning"),
    isStreaming: false,
    ...(remark !== undefined && { remark }),
  };
}

/** Nothing to show: an answer that only calls tools. */
export function isBare({ text, reasoning, remark }: AssistantItem): boolean {
  return text === "" && reasoning === "" && remark === undefined;
}

function textOf({ parts }: AssistantMessage, type: "text" | "reasoning"): string {
  return parts.map((part) => (part.type === type ? part.text : "")).join("");
}

function remarkOn({ stopReason, errorMessage }: AssistantMessage): AssistantItem["remark"] {
  switch (stopReason) {
    case "error":
      return { tone: "error", text: errorMessage ?? "The answer failed." };
    case "aborted":
      return { tone: "info", text: "Stopped." };
    case "length":
      return { tone: "info", text: "Cut off at the model's output limit." };
    case "content-filter":
      return { tone: "error", text: "Blocked by the provider's content filter." };
    case "end":
    case "tool-use":
      return undefined;
    default:
      return stopReason satisfies never;
  }
}
