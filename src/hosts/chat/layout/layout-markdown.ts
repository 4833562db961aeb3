import { highlightLine, type Language, languageOf } from "./highlight.ts";
import { layoutTable } from "./layout-table.ts";
import { type Line, type Span, span } from "./line.ts";
import { parseInline } from "./parse-inline.ts";
import { breakSpans, breakText, wrapSpans } from "./wrap-spans.ts";

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]{0,40})/;
const HEADING = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/;
const LIST = /^( *)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
/** The first row, also one whose end is still to come. */
const TABLE = /^\s*\|.*\|/;
/** A row after it, from its first character on: otherwise a row that streams shows as text until its second bar. */
const ROW = /^\s*\|/;
/** A table is laid out again with every row that arrives. */
const MOST_ROWS = 500;
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
  /** The language of the block, if it is known, and what of it goes on over line ends. */
  readonly code?: { readonly language: Language; readonly open: ReturnType<typeof highlightLine>["open"] } | undefined;
  /** Indented lines belong to a list item. */
  readonly isInList: boolean;
  /** Rows of a table so far. They are laid out when it ends, because every row may widen the columns. */
  readonly table: readonly string[];
}

/** The same for text that arrives line by line: added lines are not laid out again. */
export class MarkdownLines {
  readonly #width: number;
  readonly #lines: Line[] = [];
  #place: Place = { fence: "", isInList: false, table: [] };

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
    endTable(lines, takeText(lines, text, this.#place, this.#width), this.#width);
    while (lines.at(-1)?.length === 0) lines.pop();
    return lines;
  }
}

function takeText(lines: Line[], text: string, before: Place, width: number): Place {
  let place = before;
  for (const line of text.split("\n")) place = takeLine(lines, line, place, width);
  return place;
}

/** Lays out the table that has ended, if there is one. */
function endTable(lines: Line[], place: Place, width: number): Place {
  const { table } = place;
  if (table.length === 0) return place;
  const laid = layoutTable(table, width);
  lines.push(...(laid ?? table.flatMap((row) => breakText(row.trim(), width).map((piece) => [span(piece, "code")]))));
  return { ...place, table: [] };
}

function takeLine(lines: Line[], line: string, before: Place, width: number): Place {
  const isRow = (before.table.length === 0 ? TABLE : ROW).test(line);
  if (before.fence === "" && isRow && before.table.length < MOST_ROWS) {
    return { ...before, table: [...before.table, line] };
  }
  const place = endTable(lines, before, width);
  const { fence, isInList } = place;
  const [, mark, name = ""] = FENCE.exec(line) ?? [];
  // A block that is not closed (yet) is code to the end.
  if (fence !== "") {
    if (mark?.startsWith(fence) === true && line.trim() === mark) return { ...place, fence: "", code: undefined };
    return takeCode(lines, line, place, width);
  }
  if (mark !== undefined) {
    const language = languageOf(name);
    return { ...place, fence: mark, code: language && { language, open: undefined } };
  }
  if (line.trim() === "") {
    if (lines.length > 0 && lines.at(-1)?.length !== 0) lines.push([]);
    return place;
  }
  lines.push(...blockLines(line, isInList, width));
  return { ...place, isInList: LIST.test(line) || (isInList && line.startsWith(" ")) };
}

function takeCode(lines: Line[], line: string, place: Place, width: number): Place {
  const { code } = place;
  if (code === undefined) {
    lines.push(...codeLines(line, width));
    return place;
  }
  const { spans, open } = highlightLine(line, code.language, code.open);
  const broken = breakSpans(spans, width - CODE_INDENT.length);
  lines.push(...broken.map((pieces) => [span(CODE_INDENT), ...pieces]));
  return { ...place, code: { ...code, open } };
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
