/** A toast is read at a glance. */
const MOST_CHARACTERS = 160;

// Control characters, line and paragraph separators, direction marks.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g;

/** Foreign text as one short line of visible characters. Still to be shown as text, never as HTML. */
export function plainText(text: string, most = MOST_CHARACTERS): string {
  // Cut before cleaning, which may be slow for a megabyte; with some room for what gets removed.
  const line = text
    .slice(0, most * 4)
    .replace(UNSEEN, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  const characters = [...line];
  return characters.length > most || text.length > most * 4 ? `${characters.slice(0, most).join("")}…` : line;
}
