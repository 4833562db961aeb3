// biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are what this file is about.
/**
 * The control characters but tab and newline, and those that turn the direction of a line round or hide in it. An answer keeps
 * what `cleanText` takes from a message: tabs, which code needs, and the joiners of emoji and of several scripts.
 */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2060-\u2069\ufeff]/;
/** Whether a text has to be looked at character by character at all. Hardly any has. */
const SUSPECT = new RegExp(`${CONTROL.source}|[\\ud800-\\udbff]$`);
/** What opens a string for the terminal itself: a title, a clipboard, a picture. */
const STRING_OPENERS = "]P_^X";
const PARAMETER = /[ -?]/;
const LAST_OF_CSI = /[@-~]/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above.

const ESC = "\u001b";
const CSI = "\u009b";
const OSC = "\u009d";
const BEL = "\u0007";
const STRING_END = "\u009c";

/** A sequence that is longer than this is none: nobody swallows an answer by opening one and never ending it. */
const MOST_SWALLOWED_CHARS = 1024;

type Place = "text" | "escape" | "csi" | "string";

/**
 * Makes streamed foreign text harmless for a terminal. It goes character by character and remembers where it is, so that it makes
 * no difference where the pieces were cut: also inside of an escape sequence.
 */
export class CleanStream {
  #place: Place = "text";
  #swallowed = 0;
  #isAfterReturn = false;
  /** The first half of a character whose other half is in the next piece. */
  #half = "";

  /** What can be shown now. */
  write(piece: string): string {
    const text = this.#half + piece;
    this.#half = "";
    if (this.#place === "text" && !this.#isAfterReturn && !SUSPECT.test(text)) return text;
    const last = text.at(-1) ?? "";
    const isHalf = last >= "\ud800" && last <= "\udbff";
    if (isHalf) this.#half = last;
    let shown = "";
    for (const char of isHalf ? text.slice(0, -1) : text) shown += this.#take(char);
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

  #take(char: string): string {
    // A return alone would write over the line: it is a line's end, like the two together.
    const lead = this.#isAfterReturn && char !== "\n" ? "\n" : "";
    this.#isAfterReturn = char === "\r";
    return lead + (this.#isSwallowed(char) || CONTROL.test(char) ? "" : char);
  }

  #isSwallowed(char: string): boolean {
    const before = this.#place;
    this.#place = this.#placeAfter(char);
    this.#swallowed = this.#place === before ? this.#swallowed + 1 : 0;
    if (this.#swallowed > MOST_SWALLOWED_CHARS) this.#place = "text";
    return before !== "text" && !endsLine(char);
  }

  #placeAfter(char: string): Place {
    if (char === ESC) return "escape";
    if (char === CSI) return "csi";
    if (char === OSC) return "string";
    // No sequence goes on in the next line; whoever leaves one open loses no more than this one.
    if (endsLine(char)) return "text";
    switch (this.#place) {
      case "text":
        return "text";
      case "escape":
        if (char === "[") return "csi";
        return STRING_OPENERS.includes(char) ? "string" : "text";
      case "csi":
        return PARAMETER.test(char) && !LAST_OF_CSI.test(char) ? "csi" : "text";
      case "string":
        return char === BEL || char === STRING_END ? "text" : "string";
      default:
        return this.#place satisfies never;
    }
  }
}

function endsLine(char: string): boolean {
  return char === "\n" || char === "\r";
}
