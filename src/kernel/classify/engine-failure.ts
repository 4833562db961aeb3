import type { Failure, FailureKind } from "../model/failure.ts";
import type { Target } from "../model/target.ts";
import { DEFAULT_SCOPE, isUsuallyRetryable } from "./failure-defaults.ts";

/** The failures that no endpoint reports: the engine finds them itself. */
export type EngineFailureKind = Extract<
  FailureKind,
  | "silent"
  | "stalled"
  | "stream_broken"
  | "invalid_content"
  | "aborted"
  | "overloaded"
  | "rate_limit"
  | "not_found"
  | "permission"
>;

/** A failure that the engine found: a watchdog, a missing terminal event, missing content, an abort, an open breaker, an empty chain. */
export function engineFailure(kind: EngineFailureKind, message: string, evidence: string, target?: Target): Failure {
  return {
    kind,
    scope: DEFAULT_SCOPE[kind],
    retryable: isUsuallyRetryable(kind),
    message,
    status: undefined,
    code: undefined,
    hintMs: undefined,
    evidence,
    target,
    cause: undefined,
  };
}
