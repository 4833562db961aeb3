import { CleanStream } from "./clean-stream.ts";

const START = "\u001b[200~";
const END = "\u001b[201~";
/** Ctrl-C, as most terminals and kitty send it. */
const INTERRUPTS: readonly string[] = ["\u0003", "\u001b[99;5u"];

/** What the keyboard's reader does with each part of the input. */
export interface MarkedParts {
  /** Typed text. Returns what it holds until the next read; only the last part of a read may hold something. */
  typed(part: string, isLast: boolean): string;
  /** Pasted text, cleaned. */
  pasted(text: string): void;
}

/** Separates what stands between the marks of bracketed paste from the rest, read by read. A mark may be cut anywhere. */
export class MarkedPaste {
  #held = "";
  #paste: CleanStream | undefined;

  /** Typed text is held. False inside a paste, which may take any time. */
  get isHolding(): boolean {
    return this.#held !== "" && this.#paste === undefined;
  }

  get isPasting(): boolean {
    return this.#paste !== undefined;
  }

  push(read: string, to: MarkedParts): void {
    // A paste that was cut off never sends its end mark: Ctrl-C ends it.
    if (this.#paste !== undefined && INTERRUPTS.includes(read)) {
      this.#held = "";
      this.#paste = undefined;
    }
    let rest = this.#held + read;
    this.#held = "";
    while (rest !== "") {
      const mark = this.#paste === undefined ? START : END;
      const at = rest.indexOf(mark);
      const part = at === -1 ? rest : rest.slice(0, at);
      if (this.#paste === undefined) this.#held = to.typed(part, at === -1);
      else this.#readPasted(this.#paste, part, at === -1, to);
      if (at === -1) return;
      this.#paste = this.#paste === undefined ? new CleanStream("kept") : undefined;
      rest = rest.slice(at + mark.length);
    }
  }

  /** Gives up what is held. */
  takeHeld(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }

  #readPasted(paste: CleanStream, part: string, isOpen: boolean, to: MarkedParts): void {
    const kept = isOpen ? beginningOf(END, part) : 0;
    this.#held = part.slice(part.length - kept);
    const text = paste.write(part.slice(0, part.length - kept)) + (isOpen ? "" : paste.end());
    if (text !== "") to.pasted(text);
  }
}

/** How many characters at the end of typed text may be the beginning of a paste. */
export function beginningOfPaste(text: string): number {
  return beginningOf(START, text);
}

function beginningOf(mark: string, text: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}
