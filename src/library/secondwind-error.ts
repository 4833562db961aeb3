import { type Ended, type Failure, type Receipt, type StopReason, sayDuration } from "../kernel/index.ts";

const BUDGET_EMPTY = "the retry budget that all calls share had no room in time";

/** The one error of the library: thrown when a generation was retried, or ended by the engine, and has no good answer. */
export class SecondwindError extends Error {
  /** Why it stopped. */
  readonly reason: StopReason;
  /** How many calls were made. */
  readonly attempts: number;
  /** The last failure: kind, status, hint, the endpoint's own words. */
  readonly failure: Failure;
  readonly receipt: Receipt;
  /** The last error that the call itself threw, untouched. */
  override readonly cause: unknown;

  constructor(reason: StopReason, failure: Failure, receipt: Receipt) {
    const calls = receipt.attempts === 1 ? "1 attempt" : `${receipt.attempts} attempts`;
    super(`${failure.message} (${sayWhy(reason, receipt)} after ${calls}; ${failure.kind})`);
    this.name = "SecondwindError";
    this.reason = reason;
    this.attempts = receipt.attempts;
    this.failure = failure;
    this.receipt = receipt;
    this.cause = failure.cause;
  }
}

/** The reason, with what its name alone does not explain. */
function sayWhy(reason: StopReason, { waitedMs }: Receipt): string {
  if (reason === "retry-budget") return `${reason}: ${BUDGET_EMPTY},`;
  return reason === "patience" ? `${reason}: waited ${sayDuration(waitedMs)} in all,` : reason;
}

const receipts = new WeakMap<object, Receipt>();

/**
 * What the caller gets to catch. The original error if nothing was retried, so that wrapping a call changes nothing for
 * those who look at its errors, unless our own retry budget is what prevented the retry; the signal's own reason for an abort, as with `fetch`; else one {@link SecondwindError}.
 */
export function toError({ reason = "engine-fault", failure, receipt }: Omit<Ended, "ok" | "value">): unknown {
  const error =
    failure === undefined ? new Error(`The generation ended: ${reason}`) : chooseError(reason, failure, receipt);
  if (typeof error === "object" && error !== null) receipts.set(error, receipt);
  return error;
}

function chooseError(reason: StopReason, failure: Failure, receipt: Receipt): unknown {
  // The endpoint did not end a generation whose budget was empty, and its error would not say what did.
  const isOriginal = receipt.attempts <= 1 && reason !== "retry-budget" && !isFoundByEngine(failure);
  // A mistake in the options is thrown as such, after however many attempts it is found.
  const isUsage = failure.evidence.startsWith("usage:");
  const isTheirs = isOriginal || isUsage || reason === "engine-fault" || reason === "aborted";
  if (isTheirs && failure.cause !== undefined) return failure.cause;
  return new SecondwindError(reason, failure, receipt);
}

/** The engine's own findings have their own names: nothing was thrown that could be passed on. */
function isFoundByEngine(failure: Failure): boolean {
  return /^(?:watchdog|stream|content|engine|health):/.test(failure.evidence);
}

/** The receipt of a generation that failed, from the error that was thrown for it. */
export function receiptOf(error: unknown): Receipt | undefined {
  return typeof error === "object" && error !== null ? receipts.get(error) : undefined;
}
