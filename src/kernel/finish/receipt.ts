import type { AttemptRecord, Receipt } from "../model/receipt.ts";
import type { Target } from "../model/target.ts";

interface Ending {
  readonly generationId: string;
  readonly outcome: Receipt["outcome"];
  /** Content was given to the consumer and not taken back. */
  readonly hasDelivered: boolean;
  readonly attempts: number;
  readonly calls: number;
  readonly elapsedMs: number;
  /** The target of the last attempt. */
  readonly target: Target;
  /** The failed attempts, the oldest first. */
  readonly failed: readonly AttemptRecord[];
  readonly waitedMs: number;
  readonly patienceMs: number | null;
  readonly warnings: readonly string[];
}

/** What really happened, made from what the generation remembers. */
export function receiptOf(ending: Ending): Receipt {
  // Not taken apart with a rest: that would be one more copy for every call.
  const { outcome, attempts, target, failed } = ending;
  const complete = outcome === "succeeded";
  const history = complete ? [...failed, { attempt: attempts, target }] : failed;
  return {
    generationId: ending.generationId,
    complete,
    truncated: ending.hasDelivered && !complete && outcome !== "running",
    outcome,
    attempts,
    calls: ending.calls,
    waitedMs: ending.waitedMs,
    patienceMs: ending.patienceMs,
    elapsedMs: ending.elapsedMs,
    targets: targetsOf(failed, attempts, target),
    history,
    warnings: ending.warnings,
  };
}

/** Most generations succeed at first: that takes no set. */
function targetsOf(failed: readonly AttemptRecord[], attempts: number, last: Target): readonly Target[] {
  if (attempts === 0) return [];
  return failed.length === 0 ? [last] : [...new Set([...failed.map(({ target }) => target), last])];
}
