import { charactersOf, characterWidth, textWidth } from "../../../terminal/index.ts";
import type { Editor } from "../state/editor.ts";
import { harmless, type Line, span } from "./line.ts";

export interface InputLayout {
  readonly lines: readonly Line[];
  readonly cursor: { readonly row: number; readonly column: number };
}

const PROMPT = "❯ ";
const FOLLOWING = "  ";

/** What is being typed, with the place of the cursor in it: at most `height` lines, those round the cursor. */
export function layoutInput({ text, cursor }: Editor, width: number, height: number): InputLayout {
  const room = Math.max(2, width - textWidth(PROMPT) - 1);
  const rows: string[] = [""];
  let used = 0;
  let place = { row: 0, column: 0 };
  let at = 0;
  for (const char of charactersOf(text)) {
    if (at === cursor) place = { row: rows.length - 1, column: used };
    const shown = char === "\n" ? "" : harmless(char);
    // A tab is several columns.
    const needed = shown.length === 1 ? characterWidth(shown) : textWidth(shown);
    if (char === "\n" || (used > 0 && used + needed > room)) {
      rows.push("");
      used = 0;
      // A character that did not fit takes the cursor along.
      if (at === cursor && char !== "\n") place = { row: rows.length - 1, column: 0 };
    }
    rows[rows.length - 1] += shown;
    used += needed;
    at += char.length;
  }
  if (at === cursor) place = { row: rows.length - 1, column: used };
  const top = Math.max(0, Math.min(place.row, rows.length - height));
  return {
    lines: rows
      .slice(top, top + height)
      .map((row, index) => [span(index + top === 0 ? PROMPT : FOLLOWING, "you"), span(row)]),
    cursor: { row: place.row - top, column: place.column + textWidth(PROMPT) },
  };
}
