import type { SessionEntry } from "../wire/index.ts";

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

/** The ids of all that became a message or was dropped. */
export function settledIds(entries: readonly SessionEntry[]): ReadonlySet<string> {
  return new Set(entries.flatMap((entry) => settledBy(entry)?.promptId ?? []));
}

function settledBy(entry: SessionEntry): Accepted | undefined {
  if (entry.type === "prompt_dropped") return entry.data;
  return entry.type === "message" && entry.data.role === "user" ? entry.data : undefined;
}

function isSame(one: Accepted, other: Accepted): boolean {
  if (one.promptId !== other.promptId) return false;
  return one.promptId !== undefined || one.content === other.content;
}
