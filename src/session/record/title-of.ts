const MOST_TITLE_CHARS = 60;
/** Enough for the longest title, whatever its characters are made of; the message itself may be a megabyte. */
const MOST_READ = 1000;

/** The name of a conversation in lists: the beginning of its first message, on one line. Whole words, and "…" where it goes on. */
export function titleOf(content: string): string {
  const line = content.trim().slice(0, MOST_READ).replace(/\s+/g, " ");
  // By code points: half an emoji is shown as a broken character.
  const characters = [...line];
  if (characters.length <= MOST_TITLE_CHARS) return line;
  const head = characters.slice(0, MOST_TITLE_CHARS - 1).join("");
  const isWordCut = characters[MOST_TITLE_CHARS - 1] !== " ";
  const lastSpace = head.lastIndexOf(" ");
  // Chinese has no spaces, and a long address is one word.
  const isWorthIt = isWordCut && lastSpace > MOST_TITLE_CHARS / 2;
  return `${(isWorthIt ? head.slice(0, lastSpace) : head).trimEnd()}…`;
}
