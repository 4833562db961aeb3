import { eastAsianWidth } from "get-east-asian-width";
import { charactersOf } from "./characters-of.ts";

/** Below this code point every character that is not a control character takes one column. */
const FIRST_UNUSUAL = 0x300;
const PLAIN = /^[\0-\u02ff]*$/;
/** Characters without a column. Spacing marks (Mc), as in Hindi, do have one. */
const NO_COLUMN = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** Format characters (Cf) that are visible: Arabic and other scripts put them before numbers. */
const VISIBLE_FORMAT = /^[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]$/u;
const HANGUL_PART = /^[\u1160-\u11ff\ud7b0-\ud7ff]$/;
/** Code points that form one emoji: joined, with a skin tone, with a variation selector, or a flag. */
const PICTURE =
  /\p{Extended_Pictographic}.*\u200d.*\p{Extended_Pictographic}|\p{Emoji}\p{Emoji_Modifier}|\p{Emoji}\ufe0f|\p{Regional_Indicator}{2}/u;
/** No emoji is longer. Hostile text can attach any number of marks and joiners to one letter. */
const LONGEST_PICTURE = 64;
/** Cached widths by code point, plus one (0: not cached), because property lookups are slow. Covers the first two planes. */
const CACHE = new Uint8Array(0x20000);

/** Columns that text without control characters takes in a modern terminal. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of charactersOf(text)) width += characterWidth(character);
  return width;
}

/** Columns of one character, as `charactersOf` returns it. */
export function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (character.length === (code > 0xffff ? 2 : 1)) return codeWidth(character, code);
  if (character.length <= LONGEST_PICTURE && PICTURE.test(character)) return 2;
  let width = 0;
  for (const part of character) {
    // The vowel and the final consonant share the two columns of the initial consonant.
    if (width === 0 || !HANGUL_PART.test(part)) width += codeWidth(part, part.codePointAt(0) ?? 0);
  }
  return width;
}

function codeWidth(char: string, code: number): number {
  if (code < FIRST_UNUSUAL) return 1;
  const cached = CACHE[code];
  if (cached) return cached - 1;
  const width = NO_COLUMN.test(char) && !VISIBLE_FORMAT.test(char) ? 0 : eastAsianWidth(code);
  // Typed arrays ignore writes past their end.
  CACHE[code] = width + 1;
  return width;
}
