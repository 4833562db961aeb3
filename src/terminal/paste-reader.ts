import { CleanStream } from "./clean-stream.ts";

/** Asks the terminal to mark pasted text, and to stop. */
export const PASTE_MARKS_ON = "\u001b[?2004h";
export const PASTE_MARKS_OFF = "\u001b[?2004l";

const START = "\u001b[200~";
const END = "\u001b[201~";
/** Ctrl-C, as most terminals and kitty send it. */
const INTERRUPTS: readonly string[] = ["\u0003", "\u001b[99;5u"];

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: keys consist of them.
/** Text with its line ends and tabs; or one key that is none: a sequence, a control character. */
const RUNS = /[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]+|\u001b(?:\[[0-?]*[ -/]*[@-~]?|O[ -~]?)?|./gs;
const KEYS = /\u001b(?:\[[0-?]*[ -/]*[@-~]?|O[ -~]?)?|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const KEY = /^[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above.
/** A line end with text after it, in one read: too fast for typing. */
const LINES = /[\r\n]\s*\S/;
const TRAILING_LINE_ENDS = /[\r\n]+$/;

/** A part of the input: keys as the terminal sent them, or pasted text, cleaned, with `\n` between its lines. */
export interface InputPart {
  readonly type: "keys" | "pasted";
  readonly text: string;
}

/**
 * Separates pasted text from keys, read by read. Terminals with bracketed paste mark it. In the others, a line end that is followed
 * by text within a moment was pasted: so each Enter is held until `flush`.
 */
export class PasteReader {
  /** A line end that may be Enter, or the beginning of a mark. */
  #held = "";
  /** Between the marks. */
  #marked: CleanStream | undefined;
  /** In a paste without marks, until nothing follows for a moment. */
  #isUnmarked = false;

  /** Then `flush` has to be called, unless more arrives in a moment. */
  get isHolding(): boolean {
    return (this.#held !== "" || this.#isUnmarked) && this.#marked === undefined;
  }

  push(read: string): readonly InputPart[] {
    // A paste that was cut off never sends its end mark: Ctrl-C ends it.
    if (this.#marked !== undefined && INTERRUPTS.includes(read)) {
      this.#held = "";
      this.#marked = undefined;
    }
    const parts: InputPart[] = [];
    let rest = this.#held + read;
    this.#held = "";
    while (rest !== "") {
      const mark = this.#marked === undefined ? START : END;
      const at = rest.indexOf(mark);
      const part = at === -1 ? rest : rest.slice(0, at);
      if (this.#marked === undefined) this.#readTyped(part, at === -1, parts);
      else this.#readMarked(this.#marked, part, at === -1, parts);
      if (at === -1) break;
      this.#marked = this.#marked === undefined ? new CleanStream("kept") : undefined;
      rest = rest.slice(at + mark.length);
    }
    return parts;
  }

  /** Nothing has followed for a moment: what was held are keys. */
  flush(): readonly InputPart[] {
    if (!this.isHolding) return [];
    const text = this.#held;
    this.#held = "";
    this.#isUnmarked = false;
    return text === "" ? [] : [{ type: "keys", text }];
  }

  #readMarked(paste: CleanStream, part: string, isOpen: boolean, parts: InputPart[]): void {
    const kept = isOpen ? beginningOf(END, part) : 0;
    this.#held = part.slice(part.length - kept);
    const text = paste.write(part.slice(0, part.length - kept)) + (isOpen ? "" : paste.end());
    if (text !== "") parts.push({ type: "pasted", text });
  }

  #readTyped(part: string, isOpen: boolean, parts: InputPart[]): void {
    this.#isUnmarked ||= LINES.test(part.replace(KEYS, ""));
    const lineEnds = this.#isUnmarked ? undefined : TRAILING_LINE_ENDS.exec(part)?.[0].length;
    const kept = isOpen ? (lineEnds ?? beginningOf(START, part)) : 0;
    this.#held = part.slice(part.length - kept);
    const now = part.slice(0, part.length - kept);
    if (now === "") return;
    if (!this.#isUnmarked) return void parts.push({ type: "keys", text: now });
    // Ctrl-C and the like stay keys.
    for (const run of now.match(RUNS) ?? []) {
      parts.push(KEY.test(run) ? { type: "keys", text: run } : { type: "pasted", text: run.replace(/\r\n?/g, "\n") });
    }
  }
}

/** How many characters at the end of the text may be the beginning of the mark. */
function beginningOf(mark: string, text: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}
