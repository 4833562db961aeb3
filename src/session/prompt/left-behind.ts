import type { SessionEntry } from "../../wire/index.ts";
import { readEntries } from "../record/context.ts";
import type { SessionCore } from "../session-core.ts";
import type { HeldPrompt } from "./accept-prompt.ts";

/** What was accepted. Older versions gave it no id. */
export interface Accepted {
  readonly promptId?: string | undefined;
  readonly content: string;
}

/** What did not come to its turn before its process ended, or has not yet. */
export interface LeftBehind extends Accepted {
  /** Among the entries, which are only ever added: the same one when they are read again. */
  readonly place: number;
}

/**
 * What was accepted and has become neither a message nor dropped, in order. One without an id is found by its words: the message
 * that it became has the same ones, and two that say the same are two entries.
 */
export function leftBehind(entries: readonly SessionEntry[]): readonly LeftBehind[] {
  const waiting: LeftBehind[] = [];
  for (const [place, entry] of entries.entries()) {
    if (entry.type === "prompt") waiting.push({ ...entry.data, place });
    const settled = settledBy(entry);
    const at = settled === undefined ? -1 : waiting.findIndex((one) => isSame(one, settled));
    if (at >= 0) waiting.splice(at, 1);
  }
  return waiting;
}

/**
 * What was left behind when the session was opened and still is: the process that accepted it may be alive and have sent it
 * meanwhile. Taken once, by the first prompt: to open a conversation is no reason to write in it.
 */
export async function takeLeftBehind(core: SessionCore): Promise<readonly Accepted[]> {
  const entries = await readKept(core);
  // A store that fails: better sent late, with the next prompt, than twice.
  if (entries === undefined) return [];
  const places = new Set(leftBehind(entries).map(({ place }) => place));
  const taken = core.leftBehind.filter(({ place }) => places.has(place));
  core.leftBehind = [];
  return taken;
}

/**
 * Those that no other process has sent. One that took up the conversation can't know that this one is alive: it has sent what it
 * found waiting. To send it again would have it answered twice, so listeners are warned instead.
 */
export async function stillHeld(core: SessionCore, held: readonly HeldPrompt[]): Promise<readonly HeldPrompt[]> {
  if (held.length === 0) return held;
  const settled = new Set((await readKept(core))?.flatMap((entry) => settledBy(entry)?.promptId ?? []));
  for (const { promptId, content } of held) {
    if (!settled.has(promptId)) continue;
    core.recorder.announce({ type: "warning", message: `Sent by another session of this conversation: ${content}` });
  }
  return held.filter(({ promptId }) => !settled.has(promptId));
}

/** Undefined: the store failed. That costs memory, not the conversation. */
async function readKept({ parts, conversationId, ports }: SessionCore): Promise<readonly SessionEntry[] | undefined> {
  try {
    return readEntries(await parts.conversations.read(conversationId));
  } catch (fault) {
    ports.reportFault(fault, "conversation store");
    return undefined;
  }
}

function settledBy(entry: SessionEntry): Accepted | undefined {
  if (entry.type === "prompt_dropped") return entry.data;
  return entry.type === "message" && entry.data.role === "user" ? entry.data : undefined;
}

function isSame(one: Accepted, other: Accepted): boolean {
  if (one.promptId !== other.promptId) return false;
  return one.promptId !== undefined || one.content === other.content;
}
