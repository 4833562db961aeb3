const MOST_TITLE_CHARS = 60;

/** The name of a conversation in lists: the beginning of its first message, on one line. */
export function titleOf(content: string): string {
  return content.trim().replace(/\s+/g, " ").slice(0, MOST_TITLE_CHARS);
}
