import type { StopReason } from "../model/decision.ts";
import type { Failure } from "../model/failure.ts";
import type { Receipt } from "../model/receipt.ts";

/** How a generation ended: one answer or one honest failure. The kernel never throws it. */
export type Result<T> =
  | { readonly ok: true; readonly value: T; readonly receipt: Receipt }
  | { readonly ok: false; readonly reason: StopReason; readonly failure: Failure; readonly receipt: Receipt };

/** What a result is made from. */
export interface Ended {
  readonly ok: boolean;
  readonly value: unknown;
  readonly reason: StopReason | undefined;
  readonly failure: Failure | undefined;
  readonly receipt: Receipt;
}

/** The result as plain data: it can be logged, compared and sent, and keeps nothing of the generation alive. */
export function resultOf<T>({ ok, value, reason, failure, receipt }: Ended): Result<T> {
  if (ok || reason === undefined || failure === undefined) return { ok: true, value: value as T, receipt };
  return { ok: false, reason, failure, receipt };
}
