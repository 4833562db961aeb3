/**
 * What one stream item means to the engine.
 * - `noise`: keep-alives, empty deltas, opening events: no progress.
 * - `life`: the model is at work, but nothing that the consumer would miss.
 * - `content`: text, reasoning, tool call or usage. The first one given out is the commit point.
 * - `end`: the terminal marker. `content-end`: both in one item.
 * - a problem: an error event inside the stream, classified like any failure.
 */
export type Reading = "noise" | "life" | "content" | "end" | "content-end" | { readonly problem: unknown };

export const READINGS = "noise, life, content, end, content-end or { problem }";

/** Whether an inspector's word is one of ours: a misspelt one would be neither content nor end. */
export function isReading(value: unknown): value is Reading {
  switch (value) {
    case "noise":
    case "life":
    case "content":
    case "end":
    case "content-end":
      return true;
    default:
      return typeof value === "object" && value !== null && "problem" in value;
  }
}

export function isEnd(reading: Reading): boolean {
  return reading === "end" || reading === "content-end";
}

export function isContent(reading: Reading): boolean {
  return reading === "content" || reading === "content-end";
}
