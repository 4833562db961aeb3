import type { AssistantMessage } from "../../../wire/index.ts";
import type { AssistantItem } from "./item.ts";

/** A finished answer. */
export function assistantItem(id: string, message: AssistantMessage): AssistantItem {
  const { stopReason, errorMessage } = message;
  const remark = REMARKS[stopReason];
  return {
    kind: "assistant",
    id,
    text: textOf(message, "text"),
    reasoning: textOf(message, "reasoning"),
    isStreaming: false,
    ...(remark && { remark: { ...remark, text: (stopReason === "error" && errorMessage) || remark.text } }),
  };
}

/** Nothing to show: an answer that only calls tools. */
export function isBare({ text, reasoning, remark }: AssistantItem): boolean {
  return text === "" && reasoning === "" && remark === undefined;
}

function textOf({ parts }: AssistantMessage, type: "text" | "reasoning"): string {
  return parts.map((part) => (part.type === type ? part.text : "")).join("");
}

/** Remarks on answers that did not end normally. */
const REMARKS: Readonly<Partial<Record<AssistantMessage["stopReason"], AssistantItem["remark"]>>> = {
  error: { tone: "error", text: "The answer failed." },
  aborted: { tone: "info", text: "Stopped." },
  length: { tone: "info", text: "Cut off at the model's output limit." },
  "content-filter": { tone: "error", text: "Blocked by the provider's content filter." },
};
