import { CleanStream, cleanText, sayDuration, sayFailure, sayMessage, type Terminal } from "../../terminal/index.ts";
import type { Redact } from "../../wire/redact.ts";
import type { Asked } from "./carry-ask.ts";

interface AskScreenParts {
  readonly out: Terminal;
  readonly err: Terminal;
  readonly redact: Redact;
  readonly isJson: boolean;
}

/** The border to the terminal: the answer on stdout, everything else on stderr, both clean. */
export class AskScreen {
  readonly #parts: AskScreenParts;
  readonly #stream = new CleanStream();
  #answer = "";
  #isMidLine = false;

  constructor(parts: AskScreenParts) {
    this.#parts = parts;
  }

  text(piece: string): void {
    const text = this.#parts.redact(piece);
    if (this.#parts.isJson) this.#answer += text;
    else this.#write(this.#stream.write(text));
  }

  note(line: string): void {
    const { write, colours } = this.#parts.err;
    write(`${colours.yellow(cleanText(line))}\n`);
  }

  /** The rest of the answer, and why it is not whole if it is not. */
  end(asked: Asked, isCancelled: boolean): void {
    const { isJson, out, err } = this.#parts;
    const { receipt } = asked;
    const error = receipt.complete ? undefined : (asked.shortfall ?? this.#sayEnd(asked, isCancelled));
    if (isJson) {
      out.write(`${safeJson({ answer: this.#answer, receipt, ...(error !== undefined && { error }) })}\n`);
      return;
    }
    this.#write(this.#stream.end());
    if (this.#isMidLine) this.#write("\n");
    if (error !== undefined) err.write(`${err.colours.redBright(error)}\n`);
  }

  #sayEnd({ receipt, failure, isOutOfTime }: Asked, isCancelled: boolean): string {
    const calls = receipt.attempts === 1 ? "1 attempt" : `${receipt.attempts} attempts`;
    const cut = receipt.truncated ? "; the answer above is cut" : "";
    if (isCancelled) return `Cancelled after ${calls}${cut}`;
    const said =
      failure === undefined
        ? receipt.outcome
        : `${sayFailure(failure)}: ${sayMessage(this.#parts.redact(failure.message))}`;
    const limit = isOutOfTime ? ", and the next wait is longer than --max-wait allows" : "";
    const waited = receipt.outcome === "patience" ? ` and ${sayDuration(receipt.waitedMs)} of waiting` : "";
    return `No answer after ${calls}${waited}${limit}: ${said}${cut}`;
  }

  #write(text: string): void {
    if (text === "") return;
    this.#parts.out.write(text);
    this.#isMidLine = !text.endsWith("\n");
  }
}

const NOT_ESCAPED = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** JSON escapes the older half of the control characters by itself; the others get to a terminal as well. */
function safeJson(value: unknown): string {
  const hexOf = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value).replace(NOT_ESCAPED, hexOf);
}
