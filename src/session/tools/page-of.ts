export interface PageInput {
  /** Begins with the first line that is wanted. */
  readonly text: string;
  /** Whether the text goes on to the end of the file. */
  readonly isEnd: boolean;
  readonly firstLine: number;
  readonly lines: number;
  readonly mostChars: number;
}

/** As many whole lines as are wanted and have room, and where to go on if there is more. */
export function pageOf({ text, isEnd, firstLine, lines, mostChars }: PageInput): string {
  const page = firstLines(text, lines, mostChars);
  const isWhole = page === "" || page.endsWith("\n") || (isEnd && page.length === text.length);
  if (isWhole && isEnd && page.length === text.length) return page;
  if (isWhole) return `${page}… (more lines follow; continue with firstLine ${firstLine + countLines(page)})`;
  const rest = text.indexOf("\n", page.length);
  const isLast = isEnd && (rest === -1 || rest === text.length - 1);
  const more = isLast ? "" : `; more lines follow; continue with firstLine ${firstLine + 1}`;
  return `${page}\n… (line ${firstLine} is cut${more})`;
}

/** Between lines where that is possible; a first line that is too long by itself is cut. */
function firstLines(text: string, lines: number, mostChars: number): string {
  let end = 0;
  for (let taken = 0; taken < lines && end < text.length; taken++) {
    const at = text.indexOf("\n", end);
    const next = at === -1 ? text.length : at + 1;
    if (next > mostChars) break;
    end = next;
  }
  // Half a character is none.
  return end > 0 || text === "" ? text.slice(0, end) : text.slice(0, mostChars).replace(/[\ud800-\udbff]$/, "");
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}
