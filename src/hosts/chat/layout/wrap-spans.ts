import { breakWord, textWidth } from "../../../terminal/index.ts";
import { type Line, type Span, type Style, span } from "./line.ts";

export interface Wrap {
  readonly width: number;
  /** Prefix of the first line, and of the others (default: the same). Both have the same width. */
  readonly first?: Span;
  readonly rest?: Span;
  /** Keeps runs of spaces, leading ones too, except at a line break. */
  readonly keepsSpaces?: boolean;
}

interface Word {
  readonly text: string;
  readonly style: Style | undefined;
  /** Before the word. */
  readonly spaces: number;
}

/** Wraps styled text at spaces; splits a word that is longer than a line. */
export function wrapSpans(spans: readonly Span[], { width, first, rest, keepsSpaces }: Wrap): readonly Line[] {
  const indent = textWidth(first?.text ?? "");
  const room = Math.max(2, width - indent);
  const mostSpaces = keepsSpaces === true ? Math.floor(room / 2) : 1;
  const lines: Span[][] = [[]];
  let used = 0;
  for (const word of spans.flatMap(wordsOf)) {
    for (const [index, piece] of breakWord(word.text, room).entries()) {
      const needed = textWidth(piece);
      const isBegun = used > 0 || (keepsSpaces === true && lines.length === 1);
      let gap = index === 0 && isBegun ? Math.min(word.spaces, mostSpaces) : 0;
      if (used + gap > 0 && used + gap + needed > room) {
        // Drops a line of spaces only.
        if (used > 0) lines.push([]);
        used = 0;
        gap = 0;
      }
      append(lines.at(-1) as Span[], " ".repeat(gap) + piece, word.style);
      used += gap + needed;
    }
  }
  return lines.map((line, index) => withIndent(line, index === 0 ? first : (rest ?? first)));
}

/** Breaks only where the line is full: for code, where every space counts. */
export function breakText(text: string, width: number): readonly string[] {
  return text.split("\n").flatMap((line) => (line === "" ? [""] : breakWord(line, Math.max(2, width))));
}

/** The same for styled text on one line. */
export function breakSpans(spans: readonly Span[], width: number): readonly Line[] {
  let at = 0;
  return breakText(spans.map(({ text }) => text).join(""), width).map((piece) => {
    const from = at;
    at += piece.length;
    return cutSpans(spans, from, at);
  });
}

function cutSpans(spans: readonly Span[], from: number, to: number): Line {
  let start = 0;
  return spans.flatMap(({ text, style }) => {
    const piece = text.slice(Math.max(0, from - start), Math.max(0, to - start));
    start += text.length;
    return piece === "" ? [] : [span(piece, style)];
  });
}

function withIndent(line: Line, indent: Span | undefined): Line {
  return indent === undefined || indent.text === "" ? line : [indent, ...line];
}

function append(line: Span[], text: string, style: Style | undefined): void {
  const last = line.at(-1);
  if (last !== undefined && last.style === style) line[line.length - 1] = span(last.text + text, style);
  else line.push(span(text, style));
}

function wordsOf({ text, style }: Span): readonly Word[] {
  return [...text.matchAll(/( *)([^ ]+)|( +)$/g)].map((found) => ({
    text: found[2] ?? "",
    style,
    spaces: (found[1] ?? found[3] ?? "").length,
  }));
}
