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

/** Markdown as models write it, in lines of at most `width` columns. The text has been cleaned. */
export function layoutMarkdown(text: string, width: number): readonly Line[] {
  const lines: Line[] = [];
  let fence = "";
  for (const line of text.split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    // A block that the stream has not closed yet, or never will, is code to the end.
    if (fence !== "") {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = "";
      else lines.push(...codeLines(line, width));
    } else if (mark !== undefined) fence = mark;
    else if (line.trim() !== "") lines.push(...blockLines(line, width));
    else if (lines.length > 0 && lines.at(-1)?.length !== 0) lines.push([]);
  }
  while (lines.at(-1)?.length === 0) lines.pop();
  return lines;
}

function codeLines(line: string, width: number): readonly Line[] {
  return breakText(line, width - CODE_INDENT.length).map((piece) => [span(CODE_INDENT), span(piece, "code")]);
}

function blockLines(line: string, width: number): readonly Line[] {
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
  return wrapSpans(parseInline(line.trim()), { width });
}

function headingSpans(text: string): readonly Span[] {
  return parseInline(text).map((inner) => span(inner.text, inner.style === "code" ? "code" : "heading"));
}

function listLines([, spaces = "", mark = "", text = ""]: RegExpExecArray, width: number): readonly Line[] {
  const bullet = /\d/.test(mark) ? mark : "•";
  const indent = " ".repeat(Math.min(spaces.length, DEEPEST_INDENT, Math.floor(width / 4)));
  const first = `${indent}${bullet} `;
  return wrapSpans(parseInline(text), { width, first: span(first), rest: span(" ".repeat(first.length)) });
}
