import type { Failure, FailureKind } from "../model/failure.ts";

const REFUSALS: ReadonlySet<FailureKind> = new Set<FailureKind>(["auth", "permission", "not_found"]);

/** Whether the endpoint has refused for good: no wait makes a key valid or a model exist. */
export function isRefusal({ kind, retryable }: Failure): boolean {
  return REFUSALS.has(kind) && !retryable;
}
