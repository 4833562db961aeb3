import type { RetrySettings, SessionEntry } from "../../wire/index.ts";

/** The model that leads a conversation. What a person chose counts; a fallback was only for its time, unless the primary is not to come back. */
export function lastLeader(
  entries: readonly SessionEntry[],
  { fallbackRevertPolicy }: Pick<RetrySettings, "fallbackRevertPolicy">,
): string | undefined {
  for (const entry of entries.toReversed()) {
    if (entry.type === "turn") return entry.data.model;
    if (entry.type !== "model_change") continue;
    if (entry.data.reason !== "fallback" || fallbackRevertPolicy === "never") return entry.data.to;
  }
  const change = entries.find((entry) => entry.type === "model_change");
  if (change?.type === "model_change") return change.data.from;
  const answer = entries.findLast((entry) => entry.type === "message" && entry.data.role === "assistant");
  return answer?.type === "message" && answer.data.role === "assistant" ? answer.data.model : undefined;
}
