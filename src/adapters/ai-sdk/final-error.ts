import type { Ended } from "../../kernel/index.ts";
import { toError } from "../../library/secondwind-error.ts";
import type { AnswerFault } from "./judge-answer.ts";
import { problemIn } from "./stream-fault.ts";

/** Problems that were made for the classifier, with what was thrown instead; undefined: nothing was, we found it. */
const thrownFor = new WeakMap<object, unknown>();

/** What the classifier gets for what a provider threw, or put into its stream as an error. */
export function problemOf(thrown: unknown): unknown {
  const problem = problemIn(thrown);
  if (problem !== thrown && typeof problem === "object" && problem !== null) thrownFor.set(problem, thrown);
  return problem;
}

/** The same for what we found ourselves. */
export function problemFound({ code, message }: AnswerFault): unknown {
  const problem = { code, message };
  thrownFor.set(problem, undefined);
  return problem;
}

/**
 * What the caller gets for a generation that failed: the provider's error if nothing was retried, else a `SecondwindError`. The
 * AI SDK's functions do not try it again: the generation has ended.
 */
export function finalError({ reason, failure, receipt }: Omit<Ended, "ok" | "value">): unknown {
  const cause = failure?.cause;
  const isOurs = typeof cause === "object" && cause !== null && thrownFor.has(cause);
  const thrown = isOurs ? thrownFor.get(cause) : cause;
  // An error event is data. It is not thrown, but an abort's reason may be anything and is.
  const error = reason === "aborted" || thrown instanceof Error ? thrown : undefined;
  return endRetries(toError({ reason, failure: failure && { ...failure, cause: error }, receipt }));
}

/** The AI SDK tries again what says that it is retryable: `APICallError`, `GatewayError`. */
function endRetries(error: unknown): unknown {
  if (typeof error === "object" && error !== null && "isRetryable" in error && error.isRetryable === true) {
    // Fails only for a frozen error.
    Reflect.defineProperty(error, "isRetryable", {
      value: false,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return error;
}
