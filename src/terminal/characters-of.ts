/**
 * Whether a character may consist of several code points at all: marks, joiners, flags, colours of skin, Hangul in parts, and the
 * two vowels of Thai and Lao that hang on to the letter before them.
 */
const MAY_BE_JOINED = /[\p{M}\p{Cf}\p{Emoji_Modifier}\p{Regional_Indicator}\u1160-\u11ff\ud7b0-\ud7ff\u0e33\u0eb3]/u;

let segmenter: Intl.Segmenter | undefined;

/** A text in what a reader takes for characters: an emoji, a flag, a letter with its accents is one. */
export function charactersOf(text: string): Iterable<string> {
  return MAY_BE_JOINED.test(text) ? segmentsOf(text) : text;
}

function* segmentsOf(text: string): Iterable<string> {
  // Made with the first text that needs it: most have none, and a command that starts fast should not wait for it.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (const { segment } of segmenter.segment(text)) yield segment;
}
