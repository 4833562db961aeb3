// biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are what this file is about.
/**
 * What never gets through. The control characters but tab and newline, and what turns a text round by force; of what is shown
 * also the marks of direction, and what nobody sees. The joiners (U+200C, U+200D) stay: emoji and several scripts need them.
 */
const DROPPED = {
  shown: /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/,
  kept: /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
} as const;
const C1_STRING_OPENERS = /[\u0090\u0098\u009d-\u009f]/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above.

/** What opens a string for the terminal itself, after an escape: a title, a clipboard, a picture. */
const STRING_OPENERS = "]P_^X";
const INTERMEDIATE = /^[ -/]$/;
const PARAMETER = /^[ -?]$/;
const PRINTABLE_ASCII = /^[ -~]$/;

const ESC = "\u001b";
const CSI = "\u009b";
const BEL = "\u0007";
const STRING_END = "\u009c";

/** A sequence that is longer than this is none: nobody swallows an answer by opening one and never ending it. */
const MOST_SWALLOWED_CHARS = 1024;

type Purpose = keyof typeof DROPPED;
type Place = "text" | "escape" | "csi" | "string";

/**
 * Makes streamed foreign text harmless for a terminal. It remembers where it is, so that it makes no difference where the pieces
 * were cut: also inside of an escape sequence.
 */
export class CleanStream {
  readonly #purpose: Purpose;
  #place: Place = "text";
  #swallowed = 0;
  #isAfterReturn = false;
  /** The first half of a character whose other half is in the next piece. */
  #half = "";

  /** `kept` is for what is stored as its author wrote it, and made fit to be shown wherever it is shown. */
  constructor(purpose: Purpose = "shown") {
    this.#purpose = purpose;
  }

  /** What can be shown now. */
  write(piece: string): string {
    const text = this.#withoutHalf(this.#half + piece);
    let shown = "";
    let at = 0;
    while (at < text.length) {
      if (this.#place === "text" && !this.#isAfterReturn) {
        const next = indexOfSuspect(text, at, this.#purpose);
        shown += text.slice(at, next);
        at = next;
      }
      if (at >= text.length) break;
      const char = String.fromCodePoint(text.codePointAt(at) as number);
      shown += this.#take(char);
      at += char.length;
    }
    return shown;
  }

  /** What was held back, when nothing more comes. */
  end(): string {
    const rest = this.#isAfterReturn ? "\n" : "";
    this.#isAfterReturn = false;
    this.#place = "text";
    this.#half = "";
    return rest;
  }

  #withoutHalf(text: string): string {
    const last = text.at(-1) ?? "";
    const isHalf = last >= "\ud800" && last <= "\udbff";
    this.#half = isHalf ? last : "";
    return isHalf ? text.slice(0, -1) : text;
  }

  #take(char: string): string {
    // A return alone would write over the line: it is a line's end, like the two together.
    const lead = this.#isAfterReturn && char !== "\n" ? "\n" : "";
    this.#isAfterReturn = char === "\r";
    return lead + (this.#isSwallowed(char) || DROPPED[this.#purpose].test(char) ? "" : char);
  }

  #isSwallowed(char: string): boolean {
    const before = this.#place;
    this.#place = this.#placeAfter(char);
    this.#swallowed = this.#place === before ? this.#swallowed + 1 : 0;
    if (this.#swallowed > MOST_SWALLOWED_CHARS) this.#place = "text";
    if (before === "string") return !endsLine(char);
    // A letter of another script, or an emoji, is in no sequence: it ends one that was broken off.
    return before !== "text" && PRINTABLE_ASCII.test(char);
  }

  #placeAfter(char: string): Place {
    if (char === ESC) return "escape";
    if (char === CSI) return "csi";
    if (C1_STRING_OPENERS.test(char)) return "string";
    // No sequence goes on in the next line; whoever leaves one open loses no more than this one.
    if (endsLine(char)) return "text";
    switch (this.#place) {
      case "text":
        return "text";
      case "escape":
        if (char === "[") return "csi";
        if (INTERMEDIATE.test(char)) return "escape";
        return STRING_OPENERS.includes(char) ? "string" : "text";
      case "csi":
        return PARAMETER.test(char) ? "csi" : "text";
      case "string":
        return char === BEL || char === STRING_END ? "text" : "string";
      default:
        return this.#place satisfies never;
    }
  }
}

const SUSPECT = { shown: new RegExp(DROPPED.shown, "g"), kept: new RegExp(DROPPED.kept, "g") } as const;

/** Where the next character is that has to be looked at by itself. Hardly a text has one. */
function indexOfSuspect(text: string, from: number, purpose: Purpose): number {
  const search = SUSPECT[purpose];
  search.lastIndex = from;
  return search.exec(text)?.index ?? text.length;
}

function endsLine(char: string): boolean {
  return char === "\n" || char === "\r";
}
