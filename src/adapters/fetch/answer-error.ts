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
  const text = typeof error === "string" ? error : JSON.stringify(error);
  return (text ?? "").slice(0, 2000);
}
