/** One line of the input, 1-based. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
  /** It was longer than allowed; `text` is only its beginning, 100 characters at most. */
  readonly isTooLong: boolean;
}

const MOST_SHOWN_CHARS = 100;

/**
 * Lines of a text that comes in chunks, as many as each chunk completes. A byte order mark at its very beginning, as some
 * programs write it, is no part of it. Pieces of a long line are joined once, at its
 * end: a line of megabytes costs no more than its length.
 */
export async function* splitLines(chunks: AsyncIterable<unknown>, mostChars: number): AsyncGenerator<NumberedLine[]> {
  let pieces: string[] = [];
  let held = 0;
  let number = 0;

  const add = (piece: string): void => {
    // What is over the limit is let go at once.
    if (held <= mostChars) pieces.push(piece.slice(0, mostChars + 1));
    held += piece.length;
  };
  const finish = (): NumberedLine => {
    const isTooLong = held > mostChars;
    const text = isTooLong ? beginningOf(pieces, Math.min(mostChars, MOST_SHOWN_CHARS)) : pieces.join("");
    pieces = [];
    held = 0;
    return { number: ++number, text, isTooLong };
  };

  let isBeginning = true;
  for await (const chunk of chunks) {
    const said = String(chunk);
    const parts = (isBeginning ? said.replace(/^\uFEFF/, "") : said).split("\n");
    if (said !== "") isBeginning = false;
    const last = parts.pop() ?? "";
    const lines = parts.map((part) => {
      add(part);
      return finish();
    });
    add(last);
    if (lines.length > 0) yield lines;
  }
  if (held > 0) yield [finish()];
}

/** Chunks may be as small as one byte: the first one alone may decide nothing. */
function beginningOf(pieces: readonly string[], mostChars: number): string {
  let text = "";
  for (const piece of pieces) {
    if (text.length >= mostChars) break;
    text += piece.slice(0, mostChars - text.length);
  }
  return text;
}
