import type { FailureKind } from "../model/failure.ts";

/** What a code can add to a rate limit (E3): all else is one, whatever the body calls it. */
const OF_LIMIT: ReadonlySet<FailureKind> = new Set<FailureKind>([
  "context_overflow",
  "usage_limit",
  "rate_limit",
  "overloaded",
]);
/** Faults of the request. With a 5xx the endpoint takes the blame (E4, K8). */
const OF_REQUEST: ReadonlySet<FailureKind> = new Set<FailureKind>(["auth", "permission", "not_found", "bad_request"]);

/** Whether a failing status rules out what a code means: a 429 with `authentication_error`, a 503 with `not_found`. */
export function contradicts(status: number | undefined, kind: FailureKind): boolean {
  if (status === undefined) return false;
  // "CANCELLED" in an answer is the endpoint's own business; only an abort without any answer is ours.
  if (kind === "aborted") return true;
  if (status === 429) return !OF_LIMIT.has(kind);
  // An endpoint that refuses the model's own tool call calls the request bad.
  if (kind === "invalid_content") return status < 500;
  return status >= 500 && OF_REQUEST.has(kind);
}
