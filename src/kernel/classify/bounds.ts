/** Bounds that keep any input linear (E7): nothing beyond them is looked at. */
export const MOST_NODES = 96;
export const MOST_DEPTH = 12;
export const MOST_ITEMS = 8;
/** Own properties of one object. */
export const MOST_KEYS = 128;
export const MOST_CODES = 32;
export const MOST_TEXT_CHARS = 32_768;
/** An error's text is descriptive at the start or, after a long echo of the request, at the end. */
const HEAD_CHARS = 16_384;
const TAIL_CHARS = 4_096;
/** A larger text is not parsed as JSON; its head and tail are still read as text. */
export const MOST_JSON_CHARS = 131_072;

export function clip(text: string): string {
  if (text.length <= HEAD_CHARS + TAIL_CHARS) return text;
  return `${text.slice(0, HEAD_CHARS)}\n${text.slice(-TAIL_CHARS)}`;
}
