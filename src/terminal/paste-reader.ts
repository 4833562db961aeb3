import { beginningOfPaste, MarkedPaste } from "./marked-paste.ts";

/** Asks the terminal to mark pasted text, and to stop. */
export const PASTE_MARKS_ON = "\u001b[?2004h";
export const PASTE_MARKS_OFF = "\u001b[?2004l";

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
  readonly #marks = new MarkedPaste();
  /** In a paste without marks, until nothing follows for a moment. */
  #isUnmarked = false;

  /** Then `flush` has to be called, unless more arrives in a moment. */
  get isHolding(): boolean {
    return this.#marks.isHolding || (this.#isUnmarked && !this.#marks.isPasting);
  }

  push(read: string): readonly InputPart[] {
    const parts: InputPart[] = [];
    this.#marks.push(read, {
      typed: (part, isLast) => this.#readTyped(part, isLast, parts),
      pasted: (text) => void parts.push({ type: "pasted", text }),
    });
    return parts;
  }

  /** Nothing has followed for a moment: what was held are keys. */
  flush(): readonly InputPart[] {
    if (!this.isHolding) return [];
    const text = this.#marks.takeHeld();
    this.#isUnmarked = false;
    return text === "" ? [] : [{ type: "keys", text }];
  }

  /** Returns what may be Enter, or the beginning of a mark. */
  #readTyped(part: string, isLast: boolean, parts: InputPart[]): string {
    this.#isUnmarked ||= LINES.test(part.replace(KEYS, ""));
    const lineEnds = this.#isUnmarked ? undefined : TRAILING_LINE_ENDS.exec(part)?.[0].length;
    const end = part.length - (isLast ? (lineEnds ?? beginningOfPaste(part)) : 0);
    const now = part.slice(0, end);
    if (!this.#isUnmarked) {
      if (now !== "") parts.push({ type: "keys", text: now });
      return part.slice(end);
    }
    // Ctrl-C and the like stay keys.
    for (const run of now.match(RUNS) ?? []) {
      parts.push(KEY.test(run) ? { type: "keys", text: run } : { type: "pasted", text: run.replace(/\r\n?/g, "\n") });
    }
    return part.slice(end);
  }
}
