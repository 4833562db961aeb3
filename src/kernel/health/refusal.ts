import type { Failure, FailureKind } from "../model/failure.ts";

const REFUSALS: ReadonlySet<FailureKind> = new Set<FailureKind>(["auth", "permission", "not_found"]);

/** Whether the endpoint has refused for good: no wait makes a key valid or a model exist. */
export function isRefusal({ kind, retryable }: Failure): boolean {
  return REFUSALS.has(kind) && !retryable;
}

/** Whether a quota is used up and the endpoint does not say until when: any time to wait would be our own guess. */
export function isOpenEnded({ kind, retryable, hintMs }: Failure): boolean {
  return kind === "usage_limit" && !retryable && hintMs === undefined;
}
