import type { GenerationEvent } from "../../../kernel/index.ts";
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

function reasonText({ failure, delayMs }: WaitStart): string | undefined {
  switch (failure.kind) {
    case "rate_limit":
    case "usage_limit":
      return `Rate limited. Waiting ${Math.ceil(delayMs / 1000)}s...`;
    case "stalled":
      return "Streaming timeout. Retrying...";
    case "silent":
      return "Thinking timeout. Retrying...";
    case "invalid_content":
      return "Response missing required content. Retrying...";
    default:
      return undefined;
  }
}

/** No toast if the user stopped or gave up, or if nothing was retried. */
function endToast({ receipt }: Extract<GenerationEvent, { type: "generation-end" }>): Toast {
  const retries = receipt.attempts - 1;
  if (retries < 1) return { type: "none" };
  switch (receipt.outcome) {
    case "succeeded":
      return { type: "success", text: `Auto-retry succeeded on attempt ${retries}` };
    case "aborted":
    case "gave-up":
      return { type: "none" };
    default:
      return { type: "failure", text: `Auto-retry failed after ${retries} attempts` };
  }
}
