import { cleanText } from "../../../terminal/index.ts";

/** The role of a piece of text; the theme maps it to colours. */
export type Style =
  | ("heading" | "bold" | "italic" | "code" | "dim" | "you" | "error" | "warn" | "good")
  /** Of code: `type` is also for numbers, `name` for properties and tags. */
  | ("keyword" | "string" | "comment" | "type" | "name");

export interface Span {
  readonly text: string;
  readonly style?: Style;
}

/** One line of the screen. */
export type Line = readonly Span[];

export function span(text: string, style?: Style): Span {
  return style === undefined ? { text } : { text, style };
}

/**
 * Foreign text, safe to lay out. Takes the whole text, never a piece of it: an escape sequence split by the stream would pass in
 * halves.
 */
export function harmless(text: string): string {
  // Variation selectors make a character wider in some terminals only: lines would not fit.
  return cleanText(text.replaceAll("\t", "    ")).replace(/[\ufe00-\ufe0f]/g, "");
}

/** The same, on one line. */
export function harmlessLine(text: string): string {
  return harmless(text).replace(/\s+/g, " ").trim();
}
