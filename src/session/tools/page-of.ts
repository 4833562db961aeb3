/** Of one page. */
export const MOST_CHARS = 100_000;

interface PageInput {
  /** Begins with the first line that is wanted. */
  readonly text: string;
  /** Whether the text goes on to the end of the file. */
  readonly isEnd: boolean;
  readonly firstLine: number;
  readonly lines: number;
}

/** As many complete lines as requested and as fit, and the line to continue with if more follow. */
export function pageOf({ text, isEnd, firstLine, lines }: PageInput): string {
  const page = firstLines(text, lines);
  const isWhole = page === "" || page.endsWith("\n") || (isEnd && page.length === text.length);
  if (isWhole && isEnd && page.length === text.length) return page;
  const next = firstLine + page.split("\n").length - 1;
  if (isWhole) return `${page}… (more lines follow; continue with firstLine ${next})`;
  const rest = text.indexOf("\n", page.length);
  const isLast = isEnd && (rest === -1 || rest === text.length - 1);
  const more = isLast ? "" : `; more lines follow; continue with firstLine ${firstLine + 1}`;
  return `${page}\n… (line ${firstLine} is cut${more})`;
}

/** Between lines where that is possible; a first line that is too long by itself is cut. */
function firstLines(text: string, lines: number): string {
  let end = 0;
  for (let taken = 0; taken < lines && end < text.length; taken++) {
    const at = text.indexOf("\n", end);
    const next = at === -1 ? text.length : at + 1;
    if (next > MOST_CHARS) break;
    end = next;
  }
  // Half a character is none.
  return end > 0 || text === "" ? text.slice(0, end) : text.slice(0, MOST_CHARS).replace(/[\ud800-\udbff]$/, "");
}
