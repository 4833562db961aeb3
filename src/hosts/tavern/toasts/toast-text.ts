import type { FailureKind, GenerationEvent } from "../../../kernel/index.ts";
import { plainText } from "./plain-text.ts";

type WaitStart = Extract<GenerationEvent, { type: "wait-start" }>;

/** What the next toast of a generation depends on. */
export interface ToastState {
  /** The current retry on this model, and the most there may be. */
  readonly retry?: { readonly number: number; readonly most: number; readonly isToBeShown: boolean };
  readonly isOnFallback: boolean;
}

/** Progress updates one toast; the end replaces it by a new one, or by none. */
export type Toast =
  | { readonly type: "progress" | "success" | "failure"; readonly text: string }
  | { readonly type: "none" };

export const FIRST_STATE: ToastState = { isOnFallback: false };

/** T12: translates the engine's events. `maxRetries` is the setting: a fallback gets that many tries in all. */
export function nextToast(
  event: GenerationEvent,
  state: ToastState,
  maxRetries: number,
): { readonly state: ToastState; readonly toast?: Toast } {
  switch (event.type) {
    case "wait-start": {
      const limit = state.isOnFallback ? maxRetries - 1 : Number.POSITIVE_INFINITY;
      const number = event.retry;
      const most = Math.max(number, Math.min(event.maxRetries ?? number, limit));
      const text = reasonText(event);
      // The reason shows during the wait, the number once the retry starts.
      const retry = { number, most, isToBeShown: text !== undefined && event.delayMs > 0 };
      return { state: { ...state, retry }, toast: progress(text ?? attemptText(number, most)) };
    }
    case "attempt-start": {
      const { retry } = state;
      if (retry === undefined || !retry.isToBeShown) return { state };
      return {
        state: { ...state, retry: { ...retry, isToBeShown: false } },
        toast: progress(attemptText(retry.number, retry.most)),
      };
    }
    case "target-switch":
      return {
        state: { isOnFallback: true },
        toast: progress(`Trying fallback model: ${plainText(event.to.model)}...`),
      };
    case "generation-end":
      return { state, toast: endToast(event) };
    case "attempt-end":
    case "wait-end":
    case "attempt-discard":
    case "warning":
      return { state };
    default:
      return event satisfies never;
  }
}

const progress = (text: string): Toast => ({ type: "progress", text });
const attemptText = (number: number, most: number): string => `Auto-retry: Attempt ${number}/${most}...`;

const REASONS: Readonly<Partial<Record<FailureKind, string>>> = {
  stalled: "Streaming timeout. Retrying...",
  silent: "Thinking timeout. Retrying...",
  invalid_content: "Response missing required content. Retrying...",
};

function reasonText({ failure: { kind }, delayMs }: WaitStart): string | undefined {
  const isLimit = kind === "rate_limit" || kind === "usage_limit";
  return isLimit ? `Rate limited. Waiting ${Math.ceil(delayMs / 1000)}s...` : REASONS[kind];
}

/** No toast if the user stopped or gave up, or if nothing was retried. */
function endToast({ receipt }: Extract<GenerationEvent, { type: "generation-end" }>): Toast {
  const retries = receipt.attempts - 1;
  if (retries < 1 || receipt.outcome === "aborted" || receipt.outcome === "gave-up") return { type: "none" };
  return receipt.outcome === "succeeded"
    ? { type: "success", text: `Auto-retry succeeded on attempt ${retries}` }
    : { type: "failure", text: `Auto-retry failed after ${retries} attempts` };
}
