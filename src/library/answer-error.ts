import { isObject } from "./text-of-parts.ts";

/** An error inside an answer whose status is good: classified like an HTTP error, by what it says. */
export class AnswerError extends Error {
  readonly headers: Readonly<Record<string, string>>;
  /** What the endpoint sent, parsed. */
  readonly error: unknown;

  constructor(error: unknown, headers: Readonly<Record<string, string>>) {
    super(messageIn(error));
    this.name = "AnswerError";
    this.error = error;
    this.headers = headers;
  }
}

function messageIn(error: unknown): string {
  const inner = isObject(error) && isObject(error.error) ? error.error : error;
  const message = isObject(inner) && typeof inner.message === "string" ? inner.message : (JSON.stringify(inner) ?? "");
  return message.slice(0, 2000);
}
