import type { Failure, GenerationEvent, StreamGeneration } from "../../kernel/index.ts";
import { verbatimOf } from "../../providers/verbatim-of.ts";
import type { FailureFacts, ModelChange, RetryEvent } from "../../wire/index.ts";
import { selectorOf } from "../../wire/selector.ts";

/** What of a generation the session's dialect depends on. One for each generation: nothing is shared. */
export interface DialectState {
  /** 0: idle; then the number of the last start, 1-based. */
  readonly attempt: number;
  /** How many of the starts were waits for a breaker or a cooldown: they use up no retry. */
  readonly heldBack: number;
  /** A start was announced whose end was not. */
  readonly isOpen: boolean;
  /** The wait that has just ended was counted when it began: the move after it is not counted again. */
  readonly isAfterWait: boolean;
  /** The model that answers now. */
  readonly active: string;
  /** A fallback was gone to, and has not proved itself yet. */
  readonly isOnTrial: boolean;
}

export interface DialectFrame {
  readonly role: string;
  /** The model that the chain starts with. */
  readonly primary: string;
  /** The retries that the policy allows. */
  readonly maxAttempts: number | null;
  /** Whose retries these are. Absent: the prompt's own. */
  readonly origin?: string;
}

/** What to announce, in this order. A model change is also stored. */
export interface Translation {
  readonly state: DialectState;
  readonly events: readonly (RetryEvent | ModelChange)[];
}

export type GenerationEnd = Pick<StreamGeneration<unknown>, "reason" | "failure">;

const RETRY_CANCELLED = "Retry cancelled";

export function idle(active: string): DialectState {
  return { attempt: 0, heldBack: 0, isOpen: false, isAfterWait: false, active, isOnTrial: false };
}

/** S7: the engine's events in the session's words. Pure; the counting of S4 is in here and nowhere else. */
export function translate(state: DialectState, event: GenerationEvent, frame: DialectFrame): Translation {
  switch (event.type) {
    case "wait-start": {
      // A wait for a breaker or a cooldown uses up no retry, but it is shown, so it has a number: no two starts share one.
      const { delayMs, failure, waitedMs, patienceMs } = event;
      const isHeldBack = event.schedule === "";
      const heldBack = state.heldBack + (isHeldBack ? 1 : 0);
      return startRetry(
        { ...state, heldBack, isAfterWait: true },
        { delayMs, failure, isHeldBack, waitedMs, patienceMs },
        frame,
      );
    }
    case "target-switch": {
      const moved = noteModel({ ...state, isAfterWait: false }, selectorOf(event.to), frame);
      // Going round a target that cools down before the first call is no retry either.
      if (state.isAfterWait || event.attempt === 0 || event.failure === undefined) return moved;
      const move = { delayMs: 0, failure: event.failure, isHeldBack: false, waitedMs: 0, patienceMs: null };
      const started = startRetry(moved.state, move, frame);
      return { state: started.state, events: [...moved.events, ...started.events] };
    }
    case "attempt-start":
      return noteModel({ ...state, isAfterWait: false }, selectorOf(event.target), frame);
    default:
      return { state, events: [] };
  }
}

interface Retry {
  readonly delayMs: number;
  readonly failure: Failure;
  readonly isHeldBack: boolean;
  readonly waitedMs: number;
  readonly patienceMs: number | null;
}

/** S4: what is announced as number n is n in the state as well, and at the end. */
function startRetry(state: DialectState, retry: Retry, frame: DialectFrame): Translation {
  const { delayMs, failure, isHeldBack, waitedMs, patienceMs } = retry;
  const attempt = state.attempt + 1;
  const maxAttempts = frame.maxAttempts === null ? null : frame.maxAttempts + state.heldBack;
  const event: RetryEvent = {
    type: "auto_retry_start",
    ...{ attempt, maxAttempts, delayMs, errorMessage: verbatimOf(failure), heldBack: isHeldBack },
    ...(patienceMs !== null && { waitedMs, patienceMs }),
    ...factsOf(failure),
    ...originOf(frame),
  };
  return { state: { ...state, attempt, isOpen: true }, events: [event] };
}

function noteModel(state: DialectState, to: string, frame: DialectFrame): Translation {
  const from = state.active;
  if (to === from) return { state, events: [] };
  const { role, primary } = frame;
  const isFallback = to !== primary;
  const change: ModelChange = { type: "model_change", from, to, role, reason: isFallback ? "fallback" : "restored" };
  const applied: RetryEvent = { type: "retry_fallback_applied", from, to, role, ...originOf(frame) };
  return {
    state: { ...state, active: to, isOnTrial: isFallback },
    events: isFallback ? [change, applied] : [change],
  };
}

/**
 * The end of the generation; without a reason it was a good one. S4: the counter goes back to 0 on the first good message, on
 * cancel, on max and on a wait over the cap.
 */
export function conclude(state: DialectState, { reason, failure }: GenerationEnd, frame: DialectFrame): Translation {
  const ended: DialectState = { ...idle(state.active), isOnTrial: state.isOnTrial && reason !== undefined };
  const isCancelled = reason === "aborted" || reason === "gave-up";
  const end: RetryEvent = {
    type: "auto_retry_end",
    ...{ success: reason === undefined, attempt: state.attempt, cancelled: isCancelled },
    ...(isCancelled && { finalError: RETRY_CANCELLED }),
    ...(reason !== undefined && !isCancelled && { finalError: failure === undefined ? "" : verbatimOf(failure) }),
    ...(reason !== undefined && failure !== undefined && factsOf(failure)),
    ...originOf(frame),
  };
  if (reason === undefined) {
    const { role } = frame;
    const proved: RetryEvent = { type: "retry_fallback_succeeded", model: state.active, role, ...originOf(frame) };
    return { state: ended, events: [...(state.isOpen ? [end] : []), ...(state.isOnTrial ? [proved] : [])] };
  }
  // Max, cap and patience end a chain even where no retry came about: the counter was raised before the check.
  const isChain = state.isOpen || reason === "retries-exhausted" || reason === "delay-cap" || reason === "patience";
  return { state: ended, events: isChain ? [end] : [] };
}

/** What clients are told of a failure besides its words. */
export function factsOf({ kind, status, code, evidence, target }: Failure): FailureFacts {
  return {
    kind,
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code }),
    ...(target !== undefined && { provider: target.provider }),
    evidence,
  };
}

function originOf({ origin }: DialectFrame): { readonly origin?: string } {
  return origin === undefined ? {} : { origin };
}
