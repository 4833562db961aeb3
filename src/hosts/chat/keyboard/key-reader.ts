import { CleanStream } from "../../../terminal/index.ts";
import type { KeyPress } from "./key-press.ts";
import { parseSequence } from "./parse-sequence.ts";

const ESC = "\u001b";
/** Ctrl-C, as most terminals and as kitty send it. */
const INTERRUPTS: readonly string[] = ["\u0003", `${ESC}[99;5u`];
const PASTE_START = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: keys are made of them.
/**
 * An escape sequence that is whole: F1 to F5 of the Linux console, a click that is told the old way, CSI, SS3, and the strings in which
 * terminals answer questions. A control character is in none of them, so that Ctrl-C always gets through.
 */
const SEQUENCE =
  /\u001b(?:\[\[[ -~]|\[M[^\u0000-\u001f\u007f]{3}|\[(?!M)[0-?]*[ -/]*[@-Z\\-~]|O[0-9;]*[A-Za-z]|[\]PX^_][^\u0000-\u001f\u007f-\u009f]*(?:\u0007|\u009c|\u001b\\))/y;
/** One that is broken off: by the end of the read, or by what can't be in it. */
const BEGINNING =
  /\u001b(?:\[(?:\[|M[^\u0000-\u001f\u007f]{0,2}|[0-?]*[ -/]*)|O[0-9;]*|[\]PX^_][^\u0000-\u001f\u007f-\u009f]*\u001b?)/y;
const PLAIN = /[^\u0000-\u001f\u007f-\u009f]+/y;
/** A line end or a tab with more text after it: nobody types so fast, this is pasted where the terminal does not mark it. */
const PASTED = /[\r\n\t][^\u0000-\u001f\u007f-\u009f]/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above.
const LINE_END_OR_TAB = /\r\n|[\r\n\t]/y;

/** What is longer is no key: whoever begins a sequence and never ends it does not make the keyboard deaf. */
const LONGEST_SEQUENCE = 4096;

/**
 * Makes keys of what a terminal sends, read by read. It keeps the beginning of a sequence until the rest has come, or until `flush`
 * says that nothing more comes: then an escape was the Esc key. What it does not know it drops; it never throws.
 */
export class KeyReader {
  #held = "";
  #isFirst = true;
  /** Cleans what is pasted, while the terminal's marks say so. */
  #paste: CleanStream | undefined;

  /** Something waits for its rest. In a paste it may wait for as long as that takes. */
  get isHolding(): boolean {
    return this.#held !== "" && this.#paste === undefined;
  }

  push(given: string): readonly KeyPress[] {
    // Typed before we were there to read it, Enter is a line feed still. Later that is Ctrl-J.
    const read = this.#isFirst ? given.replace(/(?<=[^\r\n])\n$/, "\r") : given;
    this.#isFirst = false;
    // A terminal that was cut off in the middle of a paste never says where it ended.
    if (this.#paste !== undefined && INTERRUPTS.includes(read)) this.#reset();
    const presses: KeyPress[] = [];
    let rest = this.#held + read;
    this.#held = "";
    while (rest !== "") {
      const mark = this.#paste === undefined ? PASTE_START : PASTE_END;
      const at = rest.indexOf(mark);
      const part = at === -1 ? rest : rest.slice(0, at);
      if (this.#paste === undefined) this.#readTyped(part, at === -1, presses);
      else this.#readPasted(this.#paste, part, at === -1, presses);
      if (at === -1) break;
      this.#paste = this.#paste === undefined ? new CleanStream("kept") : undefined;
      rest = rest.slice(at + mark.length);
    }
    return presses;
  }

  /** Nothing more has come for a moment. */
  flush(): readonly KeyPress[] {
    if (!this.isHolding) return [];
    const held = this.#held;
    this.#held = "";
    return held === ESC || held === ESC + ESC ? Array.from(held, () => ESCAPE) : [];
  }

  #reset(): void {
    this.#held = "";
    this.#paste = undefined;
  }

  #readPasted(paste: CleanStream, part: string, isOpen: boolean, presses: KeyPress[]): void {
    const kept = isOpen ? beginningOf(PASTE_END, part) : 0;
    this.#held = part.slice(part.length - kept);
    const text = paste.write(part.slice(0, part.length - kept)) + (isOpen ? "" : paste.end());
    if (text !== "") presses.push({ type: "text", text });
  }

  #readTyped(part: string, isLast: boolean, presses: KeyPress[]): void {
    const isPasted = PASTED.test(part);
    let at = 0;
    while (at < part.length) {
      const { length, press, isOpen = false } = readOne(part, at, isPasted);
      if (isOpen && isLast && part.length - at <= LONGEST_SEQUENCE) {
        this.#held = part.slice(at);
        return;
      }
      if (press !== undefined) presses.push(press);
      at += length;
    }
  }
}

const ESCAPE: KeyPress = { type: "key", name: "escape" };

interface Reading {
  readonly length: number;
  readonly press: KeyPress | undefined;
  /** More may belong to it. */
  readonly isOpen?: boolean;
}

function readOne(part: string, at: number, isPasted: boolean): Reading {
  const plain = matchAt(PLAIN, part, at);
  if (plain !== "") return { length: plain.length, press: { type: "text", text: plain } };
  if (part[at] === ESC) return readEscape(part, at);
  const end = matchAt(LINE_END_OR_TAB, part, at);
  if (end === "" || (!isPasted && end !== "\r\n")) return { length: 1, press: ofControl(part, at) };
  if (!isPasted) return { length: end.length, press: { type: "key", name: "enter" } };
  return { length: end.length, press: { type: "text", text: end === "\t" ? end : "\n" } };
}

function readEscape(part: string, at: number): Reading {
  const sequence = matchAt(SEQUENCE, part, at);
  if (sequence !== "") return { length: sequence.length, press: parseSequence(sequence) };
  const beginning = matchAt(BEGINNING, part, at);
  if (beginning !== "") {
    const isOpen = at + beginning.length === part.length;
    // An escape at its end begins the next key.
    return { length: beginning.length - Number(!isOpen && beginning.endsWith(ESC)), press: undefined, isOpen };
  }
  const next = part.codePointAt(at + 1);
  if (next === undefined) return { length: 1, press: ESCAPE, isOpen: true };
  return next === ESC.codePointAt(0) ? readTwoEscapes(part, at) : readAlt(part, at, String.fromCodePoint(next));
}

/** Alt with a key that is a sequence itself, or Esc and another key. */
function readTwoEscapes(part: string, at: number): Reading {
  const sequence = matchAt(SEQUENCE, part, at + 1);
  const press = sequence === "" ? undefined : parseSequence(sequence);
  if (press?.type === "key") return { length: sequence.length + 1, press: { ...press, alt: true } };
  const beginning = matchAt(BEGINNING, part, at + 1) || ESC;
  return { length: 1, press: ESCAPE, isOpen: sequence === "" && at + 1 + beginning.length === part.length };
}

function readAlt(part: string, at: number, char: string): Reading {
  if (char === "\r" || char === "\n") return { length: 2, press: { type: "key", name: "enter", alt: true } };
  if (char === "\u007f" || char === "\b") return { length: 2, press: { type: "key", name: "backspace", alt: true } };
  if (matchAt(PLAIN, part, at + 1) === "") return { length: 1, press: ESCAPE };
  return { length: 1 + char.length, press: { type: "chord", letter: char.toLowerCase(), alt: true } };
}

/** A control character by itself. */
function ofControl(part: string, at: number): KeyPress | undefined {
  const char = part.charAt(at);
  if (char === "\r") return { type: "key", name: "enter" };
  if (char === "\t") return { type: "key", name: "tab" };
  if (char === "\u007f" || char === "\b") return { type: "key", name: "backspace" };
  if (char < "\u0001" || char > "\u001a") return undefined;
  return { type: "chord", letter: String.fromCharCode(char.charCodeAt(0) + 96), ctrl: true };
}

/** How many characters at the end of a text may be the beginning of a mark. */
function beginningOf(mark: string, text: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}
