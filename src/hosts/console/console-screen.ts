import { CleanStream, cleanText, type Terminal } from "../../terminal/index.ts";

/**
 * The border to the terminal: every text gets there clean, and in our colours only. Answers and the output of commands go to
 * `out`; warnings and errors go to `err`, so that an answer in a pipe has none of them in it.
 */
export class ConsoleScreen {
  readonly #out: Terminal;
  readonly #err: Terminal;
  #stream = new CleanStream();
  #isMidLine = false;
  /** Prints a warning that comes while the prompt shows. Default: as it is. */
  besidePrompt: (print: () => void) => void = (print) => print();

  constructor(out: Terminal, err: Terminal) {
    this.#out = out;
    this.#err = err;
  }

  say(lines: readonly string[]): void {
    for (const line of lines) this.#out.write(`${cleanText(line)}\n`);
  }

  /** C3: yellow. */
  warn(lines: readonly string[]): void {
    this.besidePrompt(() => {
      for (const line of lines) this.#err.write(`${this.#err.colours.yellow(cleanText(line))}\n`);
    });
  }

  /** C3: soft red. */
  error(line: string): void {
    this.#err.write(`${this.#err.colours.redBright(cleanText(line))}\n`);
  }

  /** A piece of the answer, as it comes. */
  answer(piece: string): void {
    this.#write(this.#stream.write(piece));
  }

  /** Ends its last line. */
  endAnswer(): void {
    this.#write(this.#stream.end());
    this.#stream = new CleanStream();
    if (this.#isMidLine) this.#write("\n");
  }

  #write(text: string): void {
    if (text === "") return;
    this.#out.write(text);
    this.#isMidLine = !text.endsWith("\n");
  }
}
