import type { Reading } from "../kernel/index.ts";

/** What items mean that have no problem. */
export type Said = Exclude<Reading, object>;

/**
 * What an event means: as the engine reads it, and further
 * - `last`, `content-last`: the terminal marker after which nothing counts. After `end`, usage may still come.
 * - `unknown`: of no wire format. Something new, which old clients are asked to ignore.
 */
export type Meaning = Reading | "last" | "content-last" | "unknown";

/** Reads the events of one answer, in their order. */
export interface EventReader<Event> {
  read(event: Event): Meaning;
}

/** The reading of items that go on together. */
export function joinReadings(one: Said, other: Said): Said {
  const isContent = one.startsWith("content") || other.startsWith("content");
  if (one.endsWith("end") || other.endsWith("end")) return isContent ? "content-end" : "end";
  if (isContent) return "content";
  return one === "life" || other === "life" ? "life" : "noise";
}
