import type { Failure, FailureKind } from "../model/failure.ts";
import type { Policy } from "../model/policy.ts";
import { sayDuration } from "../model/say-duration.ts";
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
    confidence: "certain",
    target,
    cause: undefined,
  };
}

/** The message of an attempt that the watchdog has ended. */
export function sayExpired(kind: "silent" | "stalled", { firstContentMs, idleMs }: Policy["watchdog"]): string {
  return kind === "silent"
    ? `No content within ${sayDuration(firstContentMs ?? 0)}`
    : `No new content for ${sayDuration(idleMs ?? 0)}`;
}
