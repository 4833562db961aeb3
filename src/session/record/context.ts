import type { Entry } from "../../store/store.ts";
import {
  type AssistantMessage,
  type Message,
  type SessionEntry,
  sessionEntrySchema,
  type ToolMessage,
} from "../../wire/index.ts";

/** What the model is told: the conversation as it stands. Failing answers are kept in the store, but not here. */
export type Context = readonly Message[];

type KeptMessage = Extract<SessionEntry, { type: "message" }>["data"];

/** The context after one more entry. The same function serves a running session and one that is taken up again. */
export function addEntry(context: Context, entry: SessionEntry): Context {
  switch (entry.type) {
    case "message":
      return belongs(entry.data) ? [...context, messageOf(entry.data)] : context;
    case "compaction": {
      const { summary, kept } = entry.data;
      return [summaryMessage(summary), ...(kept === 0 ? [] : context.slice(-kept))];
    }
    case "prompt":
    case "prompt_dropped":
    case "model_change":
      return context;
    default:
      return entry satisfies never;
  }
}

/** Which prompt it was is the store's business, not the model's. */
function messageOf(data: KeptMessage): Message {
  return data.role === "user" ? { role: data.role, content: data.content } : data;
}

function belongs(message: Message): boolean {
  if (message.role !== "assistant") return true;
  if (message.stopReason === "error") return false;
  // Nothing was said before the abort: an empty answer would be refused.
  return message.stopReason !== "aborted" || message.parts.some(({ type }) => type === "text");
}

function summaryMessage(summary: string): Message {
  return { role: "user", content: `Summary of the conversation so far:\n\n${summary}` };
}

/** The entries that this version understands, in order. One that it does not is left out, not fatal. */
export function readEntries(entries: readonly Entry[]): readonly SessionEntry[] {
  return entries.flatMap(({ type, data }) => {
    const parsed = sessionEntrySchema.safeParse({ type, data });
    return parsed.success ? [parsed.data] : [];
  });
}

/**
 * The context as a provider takes it: every tool call has its result. One may be missing where the process ended between
 * the two.
 */
export function closeCalls(context: Context): Context {
  const answered = new Set(context.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : [])));
  return context.flatMap<Message>((message) =>
    message.role === "assistant" ? [message, ...interrupted(message, answered)] : [message],
  );
}

function interrupted({ parts }: AssistantMessage, answered: ReadonlySet<string>): ToolMessage[] {
  return parts.flatMap((part) => {
    if (part.type !== "tool-call" || answered.has(part.id)) return [];
    const { id: toolCallId, name: toolName } = part;
    return [{ role: "tool", toolCallId, toolName, content: "Interrupted", isError: true }];
  });
}
