import type { Failure } from "../kernel/index.ts";

/** The endpoint's words as they came: the classifier's message may be only the innermost part of them. */
export function verbatimOf(failure: Failure): string {
  const { cause } = failure;
  if (typeof cause === "string" && cause !== "") return cause;
  const words = typeof cause === "object" && cause !== null ? readMessage(cause) : undefined;
  return words ?? failure.message;
}

function readMessage(cause: object): string | undefined {
  try {
    const { message } = cause as { readonly message?: unknown };
    return typeof message === "string" && message !== "" ? message : undefined;
  } catch {
    // A getter that throws.
    return undefined;
  }
}
