import type { Ended } from "../../kernel/index.ts";
import { toError } from "../../library/secondwind-error.ts";

/**
 * What the caller gets for a generation that failed: the provider's error if nothing was retried, else a `SecondwindError`. The
 * AI SDK's functions do not try it again: the generation has ended.
 */
export function finalError({ reason, failure, receipt }: Omit<Ended, "ok" | "value">): unknown {
  const cause = failure?.cause;
  // An error event is data, and what we found was never thrown. An abort's reason may be anything and is.
  const error = reason === "aborted" || cause instanceof Error ? cause : undefined;
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
