import type { Redactor } from "./redactor.ts";

/**
 * A text that comes in pieces, without the secrets in it. A secret may be spread over any number of pieces, so an end that may
 * be the beginning of one is held back; what is told is never longer behind than the longest secret.
 */
export class HeldBack {
  readonly #redactor: Redactor;
  #held = "";

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  push(piece: string): string {
    const text = this.#held + piece;
    const at = this.#redactor.openEnd(text);
    this.#held = text.slice(at);
    return this.#redactor.redactText(text.slice(0, at));
  }

  flush(): string {
    const rest = this.#held;
    this.#held = "";
    return this.#redactor.redactText(rest);
  }
}
