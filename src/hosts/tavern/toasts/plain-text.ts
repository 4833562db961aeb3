/** Longer texts from outside are cut: a toast is read at a glance. */
const MOST_CHARACTERS = 160;

// Control characters, line and paragraph separators, and marks that turn the direction of text around.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to go.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g;

/** A text from outside as one short line of visible characters. Whoever shows it still has to show it as text. */
export function plainText(text: string, most = MOST_CHARACTERS): string {
  // Cut first: cleaning a megabyte for one line would be waste. Some room, because what is unseen goes.
  const line = text
    .slice(0, most * 4)
    .replace(UNSEEN, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  const characters = [...line];
  return characters.length > most || text.length > most * 4 ? `${characters.slice(0, most).join("")}…` : line;
}
