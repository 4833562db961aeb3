import type { Failure, FailureKind } from "../model/failure.ts";
import type { Target } from "../model/target.ts";
import { DEFAULT_SCOPE, isUsuallyRetryable } from "./failure-defaults.ts";

/** A failure that the engine found: a watchdog, a missing terminal event, missing content, an abort, an open breaker, an empty chain. */
export function engineFailure(kind: FailureKind, message: string, evidence: string, target?: Target): Failure {
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
