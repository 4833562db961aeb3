import { charactersOf, characterWidth, textWidth } from "../../../terminal/index.ts";
import type { Editor } from "../state/editor.ts";
import { harmless, type Line, span } from "./line.ts";

interface InputLayout {
  readonly lines: readonly Line[];
  readonly cursor: { readonly row: number; readonly column: number };
}

const PROMPT = "❯ ";
const FOLLOWING = "  ";

/** The input and its cursor: at most `height` lines, those around the cursor. */
export function layoutInput({ text, cursor }: Editor, width: number, height: number): InputLayout {
  const room = Math.max(2, width - textWidth(PROMPT) - 1);
  const [start, end] = linesRound(text, cursor, height);
  const before = text.slice(start, cursor).split("\n");
  const rows: string[] = [];
  let place = { row: 0, column: 0 };
  for (const [index, line] of text.slice(start, end).split("\n").entries()) {
    const laid = breakLine(line, room);
    if (index === before.length - 1) {
      const { row, column } = placeIn(laid, before[index]?.length ?? 0);
      place = { row: rows.length + row, column };
    }
    for (const pieces of laid) rows.push(pieces.map(({ shown }) => shown).join(""));
  }
  const top = Math.max(0, Math.min(place.row, rows.length - height));
  return {
    lines: rows
      .slice(top, top + height)
      .map((row, index) => [span(start + index + top === 0 ? PROMPT : FOLLOWING, "you"), span(row)]),
    cursor: { row: place.row - top, column: place.column + textWidth(PROMPT) },
  };
}

/** The cursor's line and `count` lines on both sides: no others can show, and a pasted text may have thousands. */
function linesRound(text: string, cursor: number, count: number): readonly [start: number, end: number] {
  let start = cursor;
  let end = cursor;
  for (let left = count; left >= 0 && start > 0; left--) start = text.lastIndexOf("\n", start - 1);
  for (let left = count; left >= 0 && end < text.length; left--) {
    const next = text.indexOf("\n", end + Number(left < count));
    end = next === -1 ? text.length : next;
  }
  return [start <= 0 ? 0 : start + 1, end];
}

interface Piece {
  /** In the text, in UTF-16 units. */
  readonly length: number;
  readonly shown: string;
  readonly width: number;
}

/** A line in rows of at most `room` columns. */
function breakLine(line: string, room: number): readonly (readonly Piece[])[] {
  const rows: Piece[][] = [[]];
  const isClean = harmless(line) === line;
  let used = 0;
  for (const character of charactersOf(line)) {
    const shown = isClean ? character : harmless(character);
    const width = isClean ? characterWidth(shown) : textWidth(shown);
    if (used > 0 && used + width > room) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)?.push({ length: character.length, shown, width });
    used += width;
  }
  return rows;
}

/** Position of the cursor: before the character at `at`, even if that one was moved to the next row. */
function placeIn(rows: readonly (readonly Piece[])[], at: number): InputLayout["cursor"] {
  let left = at;
  let column = 0;
  for (const [row, pieces] of rows.entries()) {
    column = 0;
    for (const { length, width } of pieces) {
      if (left <= 0) return { row, column };
      left -= length;
      column += width;
    }
  }
  return { row: rows.length - 1, column };
}
