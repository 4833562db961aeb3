export interface Span {
  readonly column: number;
  readonly text: string;
  /** 30 to 37 or 90 to 97. */
  readonly colour: number | undefined;
  readonly isBold: boolean;
  readonly isDim: boolean;
}

/** One line of a terminal, as tmux prints it with its colours, as runs of the same look without the spaces around them. */
export function parseColours(line: string): Span[] {
  const spans: Span[] = [];
  let column = 0;
  let look: Pick<Span, "colour" | "isBold" | "isDim"> = { colour: undefined, isBold: false, isDim: false };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
  for (const [, codes, text] of line.matchAll(/\x1b\[([\d;]*)m|([^\x1b]+)/g)) {
    if (text === undefined) {
      look = (codes || "0").split(";").map(Number).reduce(apply, look);
      continue;
    }
    const start = column + (text.length - text.trimStart().length);
    if (text.trim() !== "") spans.push({ ...look, column: start, text: text.trim() });
    column += text.length;
  }
  return spans;
}

function apply<Look extends Pick<Span, "colour" | "isBold" | "isDim">>(look: Look, code: number): Look {
  if (code === 0) return { ...look, colour: undefined, isBold: false, isDim: false };
  if (code === 1) return { ...look, isBold: true };
  if (code === 2) return { ...look, isDim: true };
  if (code === 22) return { ...look, isBold: false, isDim: false };
  if (code === 39) return { ...look, colour: undefined };
  return (code >= 30 && code <= 37) || (code >= 90 && code <= 97) ? { ...look, colour: code } : look;
}
