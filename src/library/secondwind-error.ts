import {
  type Ended,
  type Failure,
  RECEIPT,
  type Receipt,
  receiptOn,
  type StopReason,
  sayDuration,
  setReceipt,
} from "../kernel/index.ts";

const BUDGET_EMPTY = "the retry budget that all calls share had no room in time";

/** The one error of the library: thrown when a generation was retried, or ended by the engine, and has no good answer. */
export class SecondwindError extends Error {
  /** Why it stopped. */
  readonly reason: StopReason;
  /** How many attempts this layer made. */
  readonly attempts: number;
  /** How many calls were made in all: more than `attempts` if a layer of Secondwind inside the call has retried as well. */
  readonly calls: number;
  /** The last failure: kind, status, hint, the endpoint's own words. */
  readonly failure: Failure;
  readonly receipt: Receipt;
  /** The last error that the call itself threw, untouched. */
  override readonly cause: unknown;

  constructor(reason: StopReason, failure: Failure, receipt: Receipt) {
    super(`${failure.message} (${sayWhy(reason, receipt)} after ${sayAttempts(receipt)}; ${failure.kind})`);
    this.name = "SecondwindError";
    this.reason = reason;
    this.attempts = receipt.attempts;
    this.calls = receipt.calls;
    this.failure = failure;
    this.receipt = receipt;
    this.cause = failure.cause;
  }

  /** By this a layer above knows that the failure was retried already, whichever copy of the package it is of. */
  get [RECEIPT](): Receipt {
    return this.receipt;
  }
}

function sayAttempts({ attempts, calls }: Receipt): string {
  const own = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  return calls === attempts ? own : `${own}, ${calls === 1 ? "1 call" : `${calls} calls`}`;
}

/** The reason, with what its name alone does not explain. */
function sayWhy(reason: StopReason, { waitedMs }: Receipt): string {
  if (reason === "retry-budget") return `${reason}: ${BUDGET_EMPTY},`;
  return reason === "patience" ? `${reason}: waited ${sayDuration(waitedMs)} in all,` : reason;
}

/**
 * What the caller gets to catch. The original error if nothing was retried, so that wrapping a call changes nothing for
 * those who look at its errors, unless our own retry budget is what prevented the retry; the signal's own reason for an abort, as with `fetch`; else one {@link SecondwindError}.
 */
export function toError({ reason = "engine-fault", failure, receipt }: Omit<Ended, "ok" | "value">): unknown {
  const error =
    failure === undefined ? new Error(`The generation ended: ${reason}`) : chooseError(reason, failure, receipt);
  setReceipt(error, receipt);
  return error;
}

/**
 * The same for a call that was given up before and came back: it says so even after a single attempt, so that no layer above begins
 * anew (B3).
 */
export function givenUpError(ended: Omit<Ended, "ok" | "value">): unknown {
  const { reason = "engine-fault", failure, receipt } = ended;
  const isEnded = failure === undefined || reason === "aborted" || reason === "engine-fault";
  return isEnded ? toError(ended) : new SecondwindError(reason, failure, receipt);
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

/** The engine's own findings have their own names: nothing was thrown that could be passed on, unless a layer below found it. */
function isFoundByEngine(failure: Failure): boolean {
  // A layer below that was aborted has found nothing: our own watchdog did.
  if (failure.below !== undefined && failure.below.outcome !== "aborted") return false;
  return /^(?:watchdog|stream|content|engine|health):/.test(failure.evidence);
}

/** The receipt of a generation that failed, from the error that was thrown for it. */
export function receiptOf(error: unknown): Receipt | undefined {
  return receiptOn(error);
}
