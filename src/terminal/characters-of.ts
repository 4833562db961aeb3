/**
 * Code points that may join others into one character: marks, joiners, flags, skin tones, Hangul parts, and two vowels of Thai
 * and Lao.
 */
const MAY_BE_JOINED = /[\p{M}\p{Cf}\p{Emoji_Modifier}\p{Regional_Indicator}\u1160-\u11ff\ud7b0-\ud7ff\u0e33\u0eb3]/u;

let segmenter: Intl.Segmenter | undefined;

/** Splits text into characters as a reader sees them: an emoji, a flag or a letter with its accents is one. */
export function charactersOf(text: string): Iterable<string> {
  return MAY_BE_JOINED.test(text) ? segmentsOf(text) : text;
}

function* segmentsOf(text: string): Iterable<string> {
  // Created for the first text that needs it, because creating it slows down the start and most texts do not need it.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (const { segment } of segmenter.segment(text)) yield segment;
}
