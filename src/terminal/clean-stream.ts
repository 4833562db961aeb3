// biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are what this file is about.
/** Whole escape sequences: CSI, OSC up to its end, and the two-character ones. */
const ESCAPES =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u009b[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[^[\]]/g;
/**
 * The other control characters but tab and newline, and those that turn the direction of a line round or hide in it. An answer
 * keeps what `cleanText` takes from a message: tabs, which code needs, and the joiners of emoji and of several scripts.
 */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2060-\u2069\ufeff]/g;
/** What may be the beginning of something that the next piece ends: an escape sequence, a CRLF, half a character. */
const UNFINISHED = /(?:\u001b(?:\[[0-?]*[ -/]*|\][^\u0007\u001b]*\u001b?)?|\u009b[0-?]*[ -/]*|\r|[\ud800-\udbff])$/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above.

/** A sequence that is longer than this is none: nobody holds an answer back by opening one and never ending it. */
const MOST_HELD_CHARS = 1024;

/** Makes streamed foreign text harmless for a terminal, wherever the pieces were cut: also inside of an escape sequence. */
export class CleanStream {
  #held = "";

  /** What can be shown now. The rest comes with the next piece. */
  write(piece: string): string {
    const text = this.#held + piece;
    const tail = UNFINISHED.exec(text.slice(-MOST_HELD_CHARS))?.[0] ?? "";
    this.#held = tail;
    return clean(text.slice(0, text.length - tail.length));
  }

  /** What was held back, when nothing more comes. */
  end(): string {
    const rest = clean(this.#held);
    this.#held = "";
    return rest;
  }
}

function clean(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(ESCAPES, "").replace(CONTROLS, "");
}
