/** One line of the input, 1-based. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
  /** It was longer than allowed; `text` is only its beginning. */
  readonly isTooLong: boolean;
}

/**
 * Lines of a text that comes in chunks, as many as each chunk completes. Pieces of a long line are joined once, at its
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
    const text = isTooLong ? (pieces[0] ?? "").slice(0, 100) : pieces.join("");
    pieces = [];
    held = 0;
    return { number: ++number, text, isTooLong };
  };

  for await (const chunk of chunks) {
    const parts = String(chunk).split("\n");
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
