import { charactersOf } from "./characters-of.ts";
import { isWide } from "./is-wide.ts";

/** Up to here every character that is not a control character takes one column. */
const FIRST_ODD = 0x300;
const PLAIN = /^[\0-\u02ff]*$/;
/** What has no column of its own. Marks that stand beside their letter (Mc) have one, as in Hindi. */
const NO_COLUMN = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** Formatting by name, but signs that are seen: those that Arabic and others put before numbers. */
const SEEN_FORMAT = /^[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]$/u;
const HANGUL_PART = /^[\u1160-\u11ff\ud7b0-\ud7ff]$/;
/** Several code points that are one picture: joined ones, with a colour of skin, asked to be an emoji, a flag. */
const PICTURE =
  /\p{Extended_Pictographic}.*\u200d.*\p{Extended_Pictographic}|\p{Emoji}\p{Emoji_Modifier}|\p{Emoji}\ufe0f|\p{Regional_Indicator}{2}/u;
/** No emoji is longer; a hostile text may hang as many marks and joiners on a letter as it likes. */
const LONGEST_PICTURE = 64;

/** Columns that a text without control characters takes in a terminal of today. Providers answer in Chinese, too. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of charactersOf(text)) width += characterWidth(character);
  return width;
}

/** Columns of one character, as `charactersOf` gives them. */
export function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (character.length === (code > 0xffff ? 2 : 1)) return codeWidth(character, code);
  if (character.length <= LONGEST_PICTURE && PICTURE.test(character)) return 2;
  let width = 0;
  for (const part of character) {
    // Vowel and end of a syllable stand in the two columns of its beginning.
    if (width === 0 || !HANGUL_PART.test(part)) width += codeWidth(part, part.codePointAt(0) ?? 0);
  }
  return width;
}

function codeWidth(char: string, code: number): number {
  if (code < FIRST_ODD) return 1;
  if (NO_COLUMN.test(char) && !SEEN_FORMAT.test(char)) return 0;
  return isWide(code) ? 2 : 1;
}
