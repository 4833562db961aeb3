interface Place {
  readonly row: number;
  readonly column: number;
}

// Between these marks terminals that know them show nothing, so that no half-painted frame is seen. Others ignore them.
const BEGIN = "\u001b[?2026h\u001b[?25l";
const END = "\u001b[?25h\u001b[?2026l";
const CLEAR_ALL = "\u001b[2J";
const CLEAR_REST_OF_LINE = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";

/** Writes frames to the alternate screen: of each only the lines that differ from the frame before, so that a spinner costs one line. */
export class Painter {
  readonly #write: (text: string) => void;
  #wanted: readonly string[] = [];
  /** What the screen shows. Undefined: not known, all of it is painted anew. */
  #shown: readonly string[] | undefined;
  #cursor: Place = { row: 0, column: 0 };

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Takes the next frame: lines with their styles, each complete in itself. */
  take(lines: readonly string[]): void {
    this.#wanted = lines;
  }

  /** The terminal was resized, or something else wrote on it. */
  forget(): void {
    this.#shown = undefined;
  }

  paint(cursor: Place): void {
    const changes = this.#shown === undefined ? this.#all() : this.#changes(this.#shown);
    const hasMoved = cursor.row !== this.#cursor.row || cursor.column !== this.#cursor.column;
    if (changes === "" && !hasMoved) return;
    this.#shown = this.#wanted;
    this.#cursor = cursor;
    const moved = goTo(cursor.row, cursor.column);
    this.#write(changes === "" ? moved : BEGIN + changes + moved + END);
  }

  #all(): string {
    return CLEAR_ALL + this.#wanted.map((line, row) => goTo(row, 0) + line).join("");
  }

  #changes(shown: readonly string[]): string {
    const changed = this.#wanted.map((line, row) =>
      line === shown[row] ? "" : goTo(row, 0) + line + CLEAR_REST_OF_LINE,
    );
    if (shown.length > this.#wanted.length) changed.push(goTo(this.#wanted.length, 0) + CLEAR_BELOW);
    return changed.join("");
  }
}

function goTo(row: number, column: number): string {
  return `\u001b[${row + 1};${column + 1}H`;
}
