import type { FailureKind } from "../kernel/index.ts";
import type { ActivityAttempt, ActivityRecord, ActivitySummary } from "../wire/http/activity.ts";

type SavedReason = ActivitySummary["saved"][number]["reason"];

/** The OpenAI and Anthropic SDKs repeat such a call twice, unless told otherwise. */
export const SDK_REPEATS = 2;

/** Failures that no repetition cures, by what would have to change. */
const HOPELESS: Readonly<Partial<Record<FailureKind, SavedReason>>> = {
  usage_limit: "quota",
  auth: "key",
  permission: "key",
  bad_request: "request",
  not_found: "request",
  context_overflow: "request",
  content_filter: "request",
  // Only one that the classifier knows to be too large for its limit: see below.
  rate_limit: "request",
  // Only the same words again and again: see below.
  server: "same-error",
};

/**
 * Why the calls after this attempt were saved; undefined: none were. A failure counts if all of this holds:
 * - its status is one that the SDKs repeat by default: 408, 409, 429 or 5xx;
 * - it was not repeated: the generation ended, or moved to another target without a wait;
 * - no repetition could have helped: a used-up quota, a key that is not accepted, a request that can't succeed, or the same server
 *   error again.
 */
export function whySaved(record: ActivityRecord, attempt: ActivityAttempt): SavedReason | undefined {
  const { kind, status, waitedMs, moved, evidence } = attempt;
  if (kind === undefined || status === undefined || !isRepeatedBySdks(status)) return undefined;
  const isLast = attempt.attempt === record.attemptCount;
  if (waitedMs !== undefined || (!isLast && moved === undefined)) return undefined;
  if (kind === "rate_limit" && evidence !== "quota:never-fits") return undefined;
  if (kind === "server" && !(isLast && record.outcome === "hopeless")) return undefined;
  return HOPELESS[kind];
}

function isRepeatedBySdks(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}
