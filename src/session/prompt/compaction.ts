import { untilAborted } from "../../turn/index.ts";
import type { AssistantMessage, Message } from "../../wire/index.ts";
import type { Compactor } from "../parts.ts";
import type { Context } from "../record/context.ts";
import type { SessionCore } from "../session-core.ts";
import { askModel } from "./ask-model.ts";

/** Puts a summary in the place of the older part of the context. False: it could not be done; the context is as it was. */
export async function compact(
  core: SessionCore,
  reason: "overflow" | "threshold",
  signal: AbortSignal,
): Promise<boolean> {
  const { recorder, parts } = core;
  recorder.announce({ type: "compaction_start", reason });
  try {
    const split = splitContext(recorder.context);
    if (split === undefined) throw new Error("There is nothing to compact");
    const ask = askModel(core, { origin: "compaction", role: "small", signal });
    const summary = await untilAborted((parts.compact ?? summarise)(split.older, ask, signal), signal);
    const entry = { type: "compaction", data: { summary, kept: split.kept } } as const;
    recorder.record(entry, { type: "compaction_end", success: true, summary });
    return true;
  } catch (fault) {
    const error = signal.aborted ? "Aborted" : fault instanceof Error ? fault.message : String(fault);
    recorder.announce({ type: "compaction_end", success: false, error });
    return false;
  }
}

/**
 * Half of the context, by its length, goes into the summary; the newer half stays: so many messages are kept. The cut never
 * parts a tool's result from its call. Undefined: there is nothing that a summary could make shorter.
 */
export function splitContext(context: Context): { readonly older: Context; readonly kept: number } | undefined {
  if (context.length < 2) return undefined;
  const lengths = context.map((message) => JSON.stringify(message).length);
  const half = lengths.reduce((sum, length) => sum + length, 0) / 2;
  let keptLength = 0;
  let cut = context.length;
  for (let i = context.length - 1; i > 0; i--) {
    keptLength += lengths[i] ?? 0;
    if (keptLength > half) break;
    if (context[i]?.role !== "tool") cut = i;
  }
  return { older: context.slice(0, cut), kept: context.length - cut };
}

const INSTRUCTION = `You summarise a conversation between a user and an assistant, so that the assistant can go on with it
without having read it. Keep what was asked, what was found out, what was decided, names of files and things, and what is
still to be done. Write plain text, without a preface.`;

/** Much of a long message is output of tools that is not needed again. */
const MOST_CHARS_EACH = 4000;
const MOST_CHARS = 200_000;

/** The default: the model of the role `small` makes the summary. */
export const summarise: Compactor = async (older, ask) => {
  const summary = await ask({ prompt: transcriptOf(older), system: INSTRUCTION });
  if (summary.trim() === "") throw new Error("The summary is empty");
  return summary;
};

function transcriptOf(messages: readonly Message[]): string {
  return clip(messages.map((message) => clip(sayMessage(message), MOST_CHARS_EACH)).join("\n\n"), MOST_CHARS);
}

function sayMessage(message: Message): string {
  switch (message.role) {
    case "user":
      return `User: ${message.content}`;
    case "assistant":
      return `Assistant: ${sayParts(message)}`;
    case "tool":
      return `Result of ${message.toolName}${message.isError ? " (failed)" : ""}: ${message.content}`;
    default:
      return message satisfies never;
  }
}

function sayParts({ parts }: AssistantMessage): string {
  return parts
    .map((part) => {
      if (part.type === "text") return part.text;
      return part.type === "tool-call" ? `[calls ${part.name} ${JSON.stringify(part.arguments)}]` : "";
    })
    .join("");
}

/** The beginning and the end of a text: what is in between is the least missed. */
function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)}\n[…]\n${text.slice(-half)}`;
}
