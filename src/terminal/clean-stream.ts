// biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are what this file is about.
/**
 * Characters that are removed: control characters except tab and newline, and direction overrides; from text to be shown also
 * direction marks and invisible characters. The joiners (U+200C, U+200D) stay: emoji and several scripts need them.
 */
const DROPPED = {
  shown: /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/,
  kept: /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
} as const;
const C1_STRING_OPENERS = /[\u0090\u0098\u009d-\u009f]/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above.

/** After an escape these open a string for the terminal itself: a title, a clipboard, a picture. */
const STRING_OPENERS = "]P_^X";
const INTERMEDIATE = /^[ -/]$/;
const PARAMETER = /^[ -?]$/;
const PRINTABLE_ASCII = /^[ -~]$/;

const ESC = "\u001b";
const CSI = "\u009b";
const BEL = "\u0007";
const STRING_END = "\u009c";

/** A longer run is not a sequence: a sequence that never ends must not swallow the answer. */
const MOST_SWALLOWED_CHARS = 1024;

type Purpose = keyof typeof DROPPED;
type Place = "text" | "escape" | "csi" | "string";

/**
 * Makes untrusted streamed text safe for a terminal. It keeps its position, so pieces may be cut anywhere, even inside an escape
 * sequence.
 */
export class CleanStream {
  readonly #purpose: Purpose;
  #place: Place = "text";
  #swallowed = 0;
  #isAfterReturn = false;
  /** The first half of a surrogate pair whose other half is in the next piece. */
  #half = "";

  /** `kept`: for text that is stored as written and cleaned again before it is shown. */
  constructor(purpose: Purpose = "shown") {
    this.#purpose = purpose;
  }

  /** Returns the text that is safe to show now. */
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

  /** Returns the text that was held back, at the end of the stream. */
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
    // A lone carriage return would overwrite the line: it counts as a line end, like CRLF.
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
    // Other scripts and emoji are never part of a sequence: they end one that was broken off.
    return before !== "text" && PRINTABLE_ASCII.test(char);
  }

  #placeAfter(char: string): Place {
    if (char === ESC) return "escape";
    if (char === CSI) return "csi";
    if (C1_STRING_OPENERS.test(char)) return "string";
    // No sequence continues on the next line, so an open one affects this line only.
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

/** The position of the next character that needs a closer look. Most texts have none. */
function indexOfSuspect(text: string, from: number, purpose: Purpose): number {
  const search = SUSPECT[purpose];
  search.lastIndex = from;
  return search.exec(text)?.index ?? text.length;
}

function endsLine(char: string): boolean {
  return char === "\n" || char === "\r";
}
