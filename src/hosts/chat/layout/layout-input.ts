import { charactersOf, characterWidth, textWidth } from "../../../terminal/index.ts";
import type { Editor } from "../state/editor.ts";
import { clip } from "./clip.ts";
import { harmless, type Line, span } from "./line.ts";

interface InputLayout {
  readonly lines: readonly Line[];
  readonly cursor: { readonly row: number; readonly column: number };
}

const PROMPT = "❯ ";
const FOLLOWING = "  ";

/** More hidden lines than these are not counted: that would take longer with every key. */
const MOST_COUNTED = 9999;

/** The input and its cursor: at most `height` lines, those around the cursor. If others are hidden, the first line counts them. */
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
  const isCounted = height > 1 && (rows.length > height || start > 0 || end < text.length);
  const count = isCounted ? height - 1 : height;
  const top = Math.max(0, Math.min(place.row, rows.length - count));
  const above = isCounted ? countLineEnds(text, 0, start) + top : 0;
  const below = isCounted ? countLineEnds(text, end, text.length) + Math.max(0, rows.length - top - count) : 0;
  const shown = rows
    .slice(top, top + count)
    .map((row, index): Line => [span(start + index + top === 0 ? PROMPT : FOLLOWING, "you"), span(row)]);
  return {
    lines: isCounted ? [[span(clip(FOLLOWING + sayHidden(above, below), width), "dim")], ...shown] : shown,
    cursor: { row: place.row - top + Number(isCounted), column: place.column + textWidth(PROMPT) },
  };
}

function sayHidden(above: number, below: number): string {
  const lines = (count: number): string =>
    count === 1 ? "1 line" : `${count > MOST_COUNTED ? `over ${MOST_COUNTED}` : count} lines`;
  if (below === 0) return `… ${lines(above)} above`;
  return above === 0 ? `… ${lines(below)} below` : `… ${lines(above)} above, ${lines(below)} below`;
}

function countLineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (
    let at = text.indexOf("\n", from);
    at !== -1 && at < to && count <= MOST_COUNTED;
    at = text.indexOf("\n", at + 1)
  ) {
    count += 1;
  }
  return count;
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
