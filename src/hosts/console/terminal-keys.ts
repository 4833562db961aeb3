import { writeSync } from "node:fs";
import { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { type InputPart, PASTE_MARKS_OFF, PASTE_MARKS_ON, PasteReader, suspension } from "../../terminal/index.ts";

/** How long an Enter may still be a line end of pasted text. Typing is slower than that, and the delay is not noticeable. */
const PASTE_WITHIN_MS = 50;

/** What readline does not get. */
interface Heard {
  paste(text: string): void;
  /** True: it meant something here. */
  backspace(): boolean;
  /** The program was suspended, or could not be, and has the terminal again. */
  resumed(): void;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: keys consist of them. After an escape it is Alt-Backspace.
const BACKSPACE = /(?<!\u001b)([\b\u007f])/;

/**
 * The keyboard as readline sees it: without pasted text, which goes to `heard`. Asks the terminal to mark pastes as long as the
 * program has it.
 */
export class TerminalKeys extends Readable {
  readonly #input: NodeJS.ReadStream;
  readonly #output: NodeJS.WriteStream;
  readonly #heard: Heard;
  readonly #reader = new PasteReader();
  readonly #decoder = new StringDecoder("utf8");
  readonly #suspension: ReturnType<typeof suspension>;
  #timer: NodeJS.Timeout | undefined;

  constructor(input: NodeJS.ReadStream, output: NodeJS.WriteStream, heard: Heard) {
    super();
    this.#input = input;
    this.#output = output;
    this.#heard = heard;
    input.on("data", this.#hear);
    input.on("end", this.#end);
    // Also when it crashes: the shell would get the marks.
    process.on("exit", this.#unmark);
    this.#suspension = suspension({ leave: this.#leave, enter: this.#enter });
    this.#mark(PASTE_MARKS_ON);
  }

  /** readline switches it on and off. */
  setRawMode(isRaw: boolean): this {
    this.#input.setRawMode(isRaw);
    return this;
  }

  override resume(): this {
    this.#input.resume();
    return this;
  }

  override pause(): this {
    this.#input.pause();
    return this;
  }

  override _read(): void {}

  /** Ctrl-Z. */
  suspend(): void {
    this.#suspension.suspend();
  }

  /** Gives the terminal back for good. May be called twice. */
  release(): void {
    if (this.destroyed) return;
    this.destroy();
    clearTimeout(this.#timer);
    this.#input.off("data", this.#hear).off("end", this.#end);
    process.off("exit", this.#unmark);
    this.#suspension.end();
    this.#mark(PASTE_MARKS_OFF);
  }

  readonly #hear = (chunk: Buffer | string): void => {
    clearTimeout(this.#timer);
    this.#pass(this.#reader.push(typeof chunk === "string" ? chunk : this.#decoder.write(chunk)));
    if (this.#reader.isHolding) this.#timer = setTimeout(() => this.#pass(this.#reader.flush()), PASTE_WITHIN_MS);
  };

  readonly #end = (): void => {
    this.#pass(this.#reader.flush());
    this.emit("end");
  };

  readonly #leave = (): void => {
    this.#mark(PASTE_MARKS_OFF);
    this.#input.setRawMode(false);
  };

  readonly #enter = (): void => {
    this.#input.setRawMode(true);
    this.#mark(PASTE_MARKS_ON);
    this.#heard.resumed();
  };

  readonly #unmark = (): void => {
    try {
      if (!isDumb()) writeSync(1, PASTE_MARKS_OFF);
    } catch {
      // The terminal is gone.
    }
  };

  #pass(parts: readonly InputPart[]): void {
    for (const { type, text } of parts) {
      if (type === "pasted") this.#heard.paste(text);
      else for (const keys of text.split(BACKSPACE)) this.#press(keys);
    }
  }

  #press(keys: string): void {
    if (keys === "" || (BACKSPACE.test(keys) && this.#heard.backspace())) return;
    // As an event, not through the stream's buffer: what is typed and what is pasted stay in order.
    this.emit("data", keys);
  }

  #mark(sequence: string): void {
    if (!isDumb()) this.#output.write(sequence);
  }
}

/** Such a terminal prints escape sequences. */
function isDumb(): boolean {
  return process.env.TERM === "dumb";
}
