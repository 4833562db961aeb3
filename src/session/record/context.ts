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
    case "turn":
    case "turn_end":
    // What it takes back is not among the entries that were read.
    case "rewind":
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

/** An entry with its place in the store. */
export type PlacedEntry = SessionEntry & Pick<Entry, "seq" | "at">;

/**
 * The entries of the conversation as it stands, in order. One that this version does not understand is left out, not fatal; so is
 * what an edited message has replaced.
 */
export function readEntries(entries: readonly Entry[]): readonly PlacedEntry[] {
  const read: PlacedEntry[] = [];
  for (const { seq, at, type, data } of entries) {
    const parsed = sessionEntrySchema.safeParse({ type, data });
    if (!parsed.success) continue;
    if (parsed.data.type === "rewind") rewind(read, parsed.data.data.before);
    read.push({ ...parsed.data, seq, at });
  }
  return read;
}

/** Takes back what was said. Which models and turns there were stays true. */
function rewind(read: PlacedEntry[], before: number): void {
  const standing = read.filter(({ seq, type }) => seq < before || LASTING.has(type));
  read.splice(0, read.length, ...standing);
}

const LASTING: ReadonlySet<SessionEntry["type"]> = new Set(["model_change", "turn", "turn_end", "rewind"]);

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
