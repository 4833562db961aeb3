import { cleanText } from "../../../terminal/index.ts";

/** How a piece of text looks; what that is on the terminal is the theme's business. */
export type Style = "heading" | "bold" | "italic" | "code" | "dim" | "you" | "error" | "warn" | "good";

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
 * Foreign text, ready to be laid out. Always the whole text and never a piece of it: an escape sequence that was cut in two
 * by the stream would get through in halves.
 */
export function harmless(text: string): string {
  // Selectors of emoji forms make a character wider in some terminals and not in others: lines would not fit.
  return cleanText(text.replaceAll("\t", "    ")).replace(/[\ufe00-\ufe0f]/g, "");
}

/** On one line, as a provider's error is shown. */
export function harmlessLine(text: string): string {
  return harmless(text).replace(/\s+/g, " ").trim();
}
