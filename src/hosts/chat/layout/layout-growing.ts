import { layoutMarkdown, MarkdownLines } from "./layout-markdown.ts";
import { harmless, type Line } from "./line.ts";

/** What may begin in one line and end in another, as an escape sequence can: then the text is cleaned whole. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CROSSES_LINES = /[\u001b\u0080-\u009f]/;

interface Finished {
  readonly width: number;
  /** Whole lines, as they came. */
  readonly text: string;
  readonly lines: MarkdownLines;
}

/** Of the answer that is coming in, the lines that will not change any more. There is one at a time. */
let finished: Finished | undefined;

/** Foreign Markdown that grows at its end: what a picture of it costs does not grow with it. */
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
