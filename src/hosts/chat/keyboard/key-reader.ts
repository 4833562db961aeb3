import { MarkedPaste } from "../../../terminal/index.ts";
import type { KeyPress } from "./key-press.ts";
import { parseSequence } from "./parse-sequence.ts";

const ESC = "\u001b";

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: keys consist of them.
/**
 * A complete escape sequence: F1 to F5 of the Linux console, an old-style mouse click, CSI, SS3, and the strings in which terminals
 * answer queries. None contains a control character, so that Ctrl-C always gets through.
 */
const SEQUENCE =
  /\u001b(?:\[\[[ -~]|\[M[^\u0000-\u001f\u007f]{3}|\[(?!M)[0-?]*[ -/]*[@-Z\\-~]|O[0-9;]*[A-Za-z]|[\]PX^_][^\u0000-\u001f\u007f-\u009f]*(?:\u0007|\u009c|\u001b\\))/y;
/** An incomplete one: cut by the end of the read, or by a character that can't be in it. */
const BEGINNING =
  /\u001b(?:\[(?:\[|M[^\u0000-\u001f\u007f]{0,2}|[0-?]*[ -/]*)|O[0-9;]*|[\]PX^_][^\u0000-\u001f\u007f-\u009f]*\u001b?)/y;
const PLAIN = /[^\u0000-\u001f\u007f-\u009f]+/y;
/** A line end or tab with text after it, in one read: too fast for typing, so pasted in a terminal without bracketed paste. */
const PASTED = /[\r\n\t][^\u0000-\u001f\u007f-\u009f]/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above.
const LINE_END_OR_TAB = /\r\n|[\r\n\t]/y;

/** A longer one is not a key: an unterminated sequence must not block the keyboard. */
const LONGEST_SEQUENCE = 4096;

/**
 * Parses terminal input into keys, read by read. Holds the beginning of a sequence until the rest arrives, or until `flush`: then an
 * escape was the Esc key. Drops unknown sequences; never throws.
 */
export class KeyReader {
  readonly #marks = new MarkedPaste();
  #isFirst = true;

  /** Holds an incomplete sequence. */
  get isHolding(): boolean {
    return this.#marks.isHolding;
  }

  push(given: string): readonly KeyPress[] {
    // Before raw mode, Enter arrives as a line feed. Later a line feed is Ctrl-J.
    const read = this.#isFirst ? given.replace(/(?<=[^\r\n])\n$/, "\r") : given;
    this.#isFirst = false;
    const presses: KeyPress[] = [];
    this.#marks.push(read, {
      typed: (part, isLast) => readTyped(part, isLast, presses),
      pasted: (text) => void presses.push({ type: "text", text }),
    });
    return presses;
  }

  /** To be called when nothing more has arrived for a moment. */
  flush(): readonly KeyPress[] {
    if (!this.isHolding) return [];
    const held = this.#marks.takeHeld();
    return held === ESC || held === ESC + ESC ? Array.from(held, () => ESCAPE) : [];
  }
}

/** Returns the beginning of a sequence that the next read may continue. */
function readTyped(part: string, isLast: boolean, presses: KeyPress[]): string {
  const isPasted = PASTED.test(part);
  let at = 0;
  while (at < part.length) {
    const { length, press, isOpen = false } = readOne(part, at, isPasted);
    if (isOpen && isLast && part.length - at <= LONGEST_SEQUENCE) return part.slice(at);
    if (press !== undefined) presses.push(press);
    at += length;
  }
  return "";
}

const ESCAPE: KeyPress = { type: "key", name: "escape" };

interface ReadKey {
  readonly length: number;
  readonly press: KeyPress | undefined;
  /** The next read may continue it. */
  readonly isOpen?: boolean;
}

function readOne(part: string, at: number, isPasted: boolean): ReadKey {
  const plain = matchAt(PLAIN, part, at);
  if (plain !== "") return { length: plain.length, press: { type: "text", text: plain } };
  if (part[at] === ESC) return readEscape(part, at);
  const end = matchAt(LINE_END_OR_TAB, part, at);
  if (end === "" || (!isPasted && end !== "\r\n")) return { length: 1, press: ofControl(part, at) };
  if (!isPasted) return { length: end.length, press: { type: "key", name: "enter" } };
  return { length: end.length, press: { type: "text", text: end === "\t" ? end : "\n" } };
}

function readEscape(part: string, at: number): ReadKey {
  const sequence = matchAt(SEQUENCE, part, at);
  if (sequence !== "") return { length: sequence.length, press: parseSequence(sequence) };
  const beginning = matchAt(BEGINNING, part, at);
  if (beginning !== "") {
    const isOpen = at + beginning.length === part.length;
    // A trailing escape begins the next key.
    return { length: beginning.length - Number(!isOpen && beginning.endsWith(ESC)), press: undefined, isOpen };
  }
  const next = part.codePointAt(at + 1);
  if (next === undefined) return { length: 1, press: ESCAPE, isOpen: true };
  return next === ESC.codePointAt(0) ? readTwoEscapes(part, at) : readAlt(part, at, String.fromCodePoint(next));
}

/** Alt with a key that is itself a sequence, or Esc and then another key. */
function readTwoEscapes(part: string, at: number): ReadKey {
  const sequence = matchAt(SEQUENCE, part, at + 1);
  const press = sequence === "" ? undefined : parseSequence(sequence);
  if (press?.type === "key") return { length: sequence.length + 1, press: { ...press, alt: true } };
  const beginning = matchAt(BEGINNING, part, at + 1) || ESC;
  return { length: 1, press: ESCAPE, isOpen: sequence === "" && at + 1 + beginning.length === part.length };
}

function readAlt(part: string, at: number, char: string): ReadKey {
  if (char === "\r" || char === "\n") return { length: 2, press: { type: "key", name: "enter", alt: true } };
  if (char === "\u007f" || char === "\b") return { length: 2, press: { type: "key", name: "backspace", alt: true } };
  if (matchAt(PLAIN, part, at + 1) === "") return { length: 1, press: ESCAPE };
  return { length: 1 + char.length, press: { type: "chord", letter: char.toLowerCase(), alt: true } };
}

/** A single control character. */
function ofControl(part: string, at: number): KeyPress | undefined {
  const char = part.charAt(at);
  if (char === "\r") return { type: "key", name: "enter" };
  if (char === "\t") return { type: "key", name: "tab" };
  if (char === "\u007f" || char === "\b") return { type: "key", name: "backspace" };
  if (char < "\u0001" || char > "\u001a") return undefined;
  return { type: "chord", letter: String.fromCharCode(char.charCodeAt(0) + 96), ctrl: true };
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}
