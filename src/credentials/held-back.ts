import type { Redactor } from "./redactor.ts";

/**
 * Removes secrets from a text that comes in pieces. A secret may be spread over any number of pieces, so an end that may be the
 * beginning of one is held back, never more than the length of the longest secret.
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
