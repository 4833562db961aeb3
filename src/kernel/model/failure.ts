import type { Target } from "./target.ts";

/** What can go wrong with an attempt. The order is the order of the documentation, nothing else. */
export const FAILURE_KINDS = [
  "rate_limit",
  "usage_limit",
  "overloaded",
  "server",
  "network",
  "timeout",
  "stalled",
  "silent",
  "invalid_content",
  "stream_broken",
  "context_overflow",
  "auth",
  "permission",
  "bad_request",
  "not_found",
  "content_filter",
  "aborted",
  "unknown",
] as const;

export type FailureKind = (typeof FAILURE_KINDS)[number];

/** How far a failure reaches: what else would fail in the same way now. */
export type FailureScope = "request" | "credential" | "model" | "provider";

/**
 * What a verdict rests on. `certain`: structure (a status, a code, a header, a flag). `likely`: a telling sentence. `guess`: a vague
 * sentence, or nothing.
 */
export type Confidence = "certain" | "likely" | "guess";

/** What a layer of Secondwind inside the call did before it gave up: a wrapped function, our `fetch`, the gateway. */
export interface GivenUp {
  /** Calls made in all, those of the layers further below included. */
  readonly calls: number;
  /** Why it stopped, as its receipt says. */
  readonly outcome: string;
}

/** A classified bad outcome of one attempt. */
export interface Failure {
  readonly kind: FailureKind;
  readonly scope: FailureScope;
  /** The same request with the same credential may succeed later. */
  readonly retryable: boolean;
  /** The endpoint's words, verbatim and untrusted. */
  readonly message: string;
  /** HTTP status, where one is known. */
  readonly status: number | undefined;
  /** The provider's own type or code, or an errno, where one is known. */
  readonly code: string | undefined;
  /** The wait that the endpoint asked for, in milliseconds: finite and positive, or absent. */
  readonly hintMs: number | undefined;
  /** The name of the rule that decided, for people and for `secondwind why`. */
  readonly evidence: string;
  readonly confidence: Confidence;
  readonly target: Target | undefined;
  /** What was thrown or received, untouched. */
  readonly cause: unknown;
  /** A layer below has retried this and given up: it is not retried here, only tried on another target. Absent: there is none. */
  readonly below?: GivenUp;
}
