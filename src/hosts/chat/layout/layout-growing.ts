import { layoutMarkdown, MarkdownLines } from "./layout-markdown.ts";
import { harmless, type Line } from "./line.ts";

/** An escape sequence may span lines: then the whole text is cleaned at once. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for control characters.
const CROSSES_LINES = /[\u001b\u0080-\u009f]/;

interface Finished {
  readonly width: number;
  /** Whole lines, before cleaning. */
  readonly text: string;
  readonly lines: MarkdownLines;
}

/** The finished lines of the answer that is streaming. Only one streams at a time. */
let finished: Finished | undefined;

/** Lays out Markdown while text is appended to it. Finished lines are reused, so that a frame costs the same however long the answer is. */
export function layoutGrowing(text: string, width: number): readonly Line[] {
  if (CROSSES_LINES.test(text)) return layoutMarkdown(harmless(text), width);
  const known = finished?.width === width && text.startsWith(finished.text) ? finished : undefined;
  const lines = known?.lines ?? new MarkdownLines(width);
  const end = text.lastIndexOf("\n") + 1;
  const start = known?.text.length ?? 0;
  if (end > start) lines.add(harmless(text.slice(start, end)).slice(0, -1));
  finished = { width, text: text.slice(0, end), lines };
  return lines.with(harmless(text.slice(end)));
}
