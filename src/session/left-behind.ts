import type { SessionEntry } from "../wire/index.ts";

/**
 * What was accepted but did not come to its turn before the process ended, in order. Found by its words: the message that it
 * became has the same ones, and two that say the same are two entries.
 */
export function leftBehind(entries: readonly SessionEntry[]): readonly string[] {
  const waiting: string[] = [];
  for (const entry of entries) {
    if (entry.type === "prompt") waiting.push(entry.data.content);
    const settled = settledBy(entry);
    const place = settled === undefined ? -1 : waiting.indexOf(settled);
    if (place >= 0) waiting.splice(place, 1);
  }
  return waiting;
}

function settledBy(entry: SessionEntry): string | undefined {
  if (entry.type === "prompt_dropped") return entry.data.content;
  return entry.type === "message" && entry.data.role === "user" ? entry.data.content : undefined;
}
