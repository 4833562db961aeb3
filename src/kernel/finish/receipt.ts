import type { FailedAttempt, Trail } from "../enact/trail.ts";
import type { AttemptRecord, Receipt } from "../model/receipt.ts";
import type { Target } from "../model/target.ts";

export interface Ending {
  readonly generationId: string;
  readonly outcome: Receipt["outcome"];
  /** Content was given to the consumer and not taken back. */
  readonly hasDelivered: boolean;
  readonly attempts: number;
  readonly elapsedMs: number;
  /** The target of the last attempt. */
  readonly target: Target;
  readonly trail: Trail | undefined;
  readonly chainWarnings: readonly string[];
}

/** What really happened, made from what the generation remembers. */
export function receiptOf(ending: Ending): Receipt {
  const { trail, attempts, target } = ending;
  const hasSucceeded = ending.outcome === "succeeded";
  const failed = (trail?.history() ?? []).map(recordOf);
  const history = hasSucceeded ? [...failed, { attempt: attempts, target }] : failed;
  const tried = [...history.map((record) => record.target), ...(attempts > 0 ? [target] : [])];
  return {
    generationId: ending.generationId,
    complete: hasSucceeded,
    truncated: ending.hasDelivered && !hasSucceeded && ending.outcome !== "running",
    outcome: ending.outcome,
    attempts,
    waitedMs: trail?.waitedMs ?? 0,
    elapsedMs: ending.elapsedMs,
    targets: [...new Set(tried)],
    history,
    warnings: [...ending.chainWarnings, ...(trail?.warnings ?? [])],
  };
}

function recordOf({ attempt, target, kind, status, waitedMs }: FailedAttempt): AttemptRecord {
  return {
    attempt,
    target,
    kind,
    ...(status !== undefined && { status }),
    ...(waitedMs !== undefined && { waitedMs }),
  };
}
