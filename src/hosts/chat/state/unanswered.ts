import type { SessionEntry } from "../../../wire/index.ts";

/** The last message of the user, if the process ended before its answer was complete, or the answer failed. */
export function unansweredIn(entries: readonly SessionEntry[]): string | undefined {
  const messages = entries.flatMap((entry) => (entry.type === "message" ? [entry.data] : []));
  const last = messages.at(-1);
  const isOpen = last?.role !== "assistant" || last.stopReason === "tool-use" || last.stopReason === "error";
  const asked = isOpen ? messages.findLast(({ role }) => role === "user") : undefined;
  return asked?.role === "user" ? asked.content : undefined;
}
