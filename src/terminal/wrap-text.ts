import { charactersOf } from "./characters-of.ts";
import { characterWidth, textWidth } from "./text-width.ts";

/** Wraps text into lines of at most `width` columns. Breaks at spaces, and inside words that are too long for a line. */
export function wrapText(text: string, width: number): string[] {
  return text.split("\n").flatMap((paragraph) => wrapParagraph(paragraph, Math.max(2, width)));
}

function wrapParagraph(paragraph: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const word of paragraph.split(" ").filter((part) => part !== "")) {
    for (const piece of breakWord(word, width)) {
      const needed = textWidth(piece);
      if (used > 0 && used + 1 + needed > width) {
        lines.push(line);
        line = "";
        used = 0;
      }
      line = used === 0 ? piece : `${line} ${piece}`;
      used = textWidth(line);
    }
  }
  return [...lines, line];
}

/** Splits a word into pieces of at most `width` columns. Characters are never split, even if one is wider. */
export function breakWord(word: string, width: number): string[] {
  if (word.length <= width && textWidth(word) <= width) return [word];
  const pieces: string[] = [];
  let piece = "";
  let used = 0;
  for (const char of charactersOf(word)) {
    const needed = characterWidth(char);
    if (used > 0 && used + needed > width) {
      pieces.push(piece);
      piece = "";
      used = 0;
    }
    piece += char;
    used += needed;
  }
  return [...pieces, piece];
}
