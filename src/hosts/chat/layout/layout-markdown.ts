import { type Line, type Span, span } from "./line.ts";
import { parseInline } from "./parse-inline.ts";
import { breakText, wrapSpans } from "./wrap-spans.ts";

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]{0,40})/;
const HEADING = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/;
const LIST = /^( *)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const TABLE = /^\s*\|.*\|\s*$/;
const CODE_INDENT = "  ";
const DEEPEST_INDENT = 12;
/** Starts a line of code, outside a list. */
const CODE_MARK = "    ";

/** Lays out Markdown as models write it, in lines of at most `width` columns. Expects clean text. */
export function layoutMarkdown(text: string, width: number): readonly Line[] {
  return new MarkdownLines(width).with(text);
}

/** What the next line depends on. */
interface Place {
  /** The marks that opened the current code block; empty outside one. */
  readonly fence: string;
  /** Indented lines belong to a list item. */
  readonly isInList: boolean;
}

/** The same for text that arrives line by line: added lines are not laid out again. */
export class MarkdownLines {
  readonly #width: number;
  readonly #lines: Line[] = [];
  #place: Place = { fence: "", isInList: false };

  constructor(width: number) {
    this.#width = width;
  }

  /** Adds whole lines that won't change. */
  add(text: string): void {
    this.#place = takeText(this.#lines, text, this.#place, this.#width);
  }

  /** All lines, with this text at the end. */
  with(text: string): readonly Line[] {
    const lines = [...this.#lines];
    takeText(lines, text, this.#place, this.#width);
    while (lines.at(-1)?.length === 0) lines.pop();
    return lines;
  }
}

function takeText(lines: Line[], text: string, before: Place, width: number): Place {
  let place = before;
  for (const line of text.split("\n")) place = takeLine(lines, line, place, width);
  return place;
}

function takeLine(lines: Line[], line: string, place: Place, width: number): Place {
  const { fence, isInList } = place;
  const mark = FENCE.exec(line)?.[1];
  // A block that is not closed (yet) is code to the end.
  if (fence !== "") {
    if (mark?.startsWith(fence) === true && line.trim() === mark) return { ...place, fence: "" };
    lines.push(...codeLines(line, width));
    return place;
  }
  if (mark !== undefined) return { ...place, fence: mark };
  if (line.trim() === "") {
    if (lines.length > 0 && lines.at(-1)?.length !== 0) lines.push([]);
    return place;
  }
  lines.push(...blockLines(line, isInList, width));
  return { fence, isInList: LIST.test(line) || (isInList && line.startsWith(" ")) };
}

function codeLines(line: string, width: number): readonly Line[] {
  return breakText(line, width - CODE_INDENT.length).map((piece) => [span(CODE_INDENT), span(piece, "code")]);
}

function blockLines(line: string, isInList: boolean, width: number): readonly Line[] {
  const heading = HEADING.exec(line);
  if (heading !== null) return wrapSpans(headingSpans(heading[1] ?? ""), { width });
  if (RULE.test(line)) return [[span("─".repeat(Math.min(width, 24)), "dim")]];
  const quote = QUOTE.exec(line);
  if (quote !== null) {
    const spans = parseInline(quote[1] ?? "").map((inner) => span(inner.text, inner.style ?? "dim"));
    return wrapSpans(spans, { width, first: span("│ ", "dim") });
  }
  const item = LIST.exec(line);
  if (item !== null) return listLines(item, width);
  if (TABLE.test(line)) return breakText(line.trim(), width).map((piece) => [span(piece, "code")]);
  if (isInList) return wrapSpans(parseInline(line.trim()), { width, first: span(indentOf(line, width)) });
  // Markdown requires a blank line before; models don't, and mean code anyway.
  if (line.startsWith(CODE_MARK)) return codeLines(line.slice(CODE_MARK.length).trimEnd(), width);
  return wrapSpans(parseInline(line.trim()), { width });
}

function headingSpans(text: string): readonly Span[] {
  return parseInline(text).map((inner) => span(inner.text, inner.style === "code" ? "code" : "heading"));
}

function listLines([, spaces = "", mark = "", text = ""]: RegExpExecArray, width: number): readonly Line[] {
  const bullet = /\d/.test(mark) ? mark : "•";
  const first = `${indentOf(spaces, width)}${bullet} `;
  return wrapSpans(parseInline(text), { width, first: span(first), rest: span(" ".repeat(first.length)) });
}

/** The line's indent, limited by the width of the screen. */
function indentOf(line: string, width: number): string {
  const spaces = line.length - line.trimStart().length;
  return " ".repeat(Math.min(spaces, DEEPEST_INDENT, Math.floor(width / 4)));
}
