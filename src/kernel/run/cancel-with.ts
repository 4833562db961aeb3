import type { Attempt } from "../attempt/attempt.ts";
import type { Failure } from "../model/failure.ts";
import type { Receipt } from "../model/receipt.ts";
import { receiptOn } from "../model/receipt-mark.ts";

/**
 * Cancels an attempt. Returns the receipt of a layer below that ended by it: with the signal of the attempt it ends at once, and the
 * reason of the abort has its receipt.
 */
export function cancelWith(attempt: Attempt, failure: Failure): Receipt | undefined {
  // Many generations may share one signal and its reason: only a receipt that is new is of this attempt.
  const before = receiptOn(failure.cause);
  attempt.cancel(failure);
  const after = receiptOn(attempt.abortReason);
  return after === before ? undefined : after;
}
