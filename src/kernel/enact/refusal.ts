import type { Failure, FailureKind } from "../model/failure.ts";

const REFUSALS: ReadonlySet<FailureKind> = new Set<FailureKind>(["auth", "permission", "not_found"]);

/** Whether the endpoint has refused for good: no wait makes a key valid or a model exist. */
export function isRefusal({ kind, retryable }: Failure): boolean {
  return REFUSALS.has(kind) && !retryable;
}

/** The places in a chain that a refusal speaks of: the one with this credential, or all of the model's. */
export function refusedPlaces(
  entryOf: readonly number[],
  position: number,
  scope: Failure["scope"],
): readonly number[] {
  if (scope === "credential") return [position];
  return entryOf.flatMap((entry, place) => (entry === entryOf[position] ? [place] : []));
}
