import type { StopReason } from "../model/decision.ts";
import type { Failure } from "../model/failure.ts";
import type { Receipt } from "../model/receipt.ts";

/** How a generation ended: one answer or one honest failure. The kernel never throws it. */
export type Result<T> =
  | { readonly ok: true; readonly value: T; readonly receipt: Receipt }
  | { readonly ok: false; readonly reason: StopReason; readonly failure: Failure; readonly receipt: Receipt };
