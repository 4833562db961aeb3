import type { GenerationEvent } from "../../../kernel/index.ts";
import { plainText } from "./plain-text.ts";

type WaitStart = Extract<GenerationEvent, { type: "wait-start" }>;

/** Where a generation stands, as far as its toasts depend on it. */
export interface ToastState {
  /** The retry under way on this model, and how many there may be; undefined: none was announced by number yet. */
  readonly retry?: { readonly number: number; readonly most: number; readonly isToBeTold: boolean };
  readonly isOnFallback: boolean;
}

/** What is to be shown: progress is one toast that changes, the end is a new one in its place. */
export type Toast =
  | { readonly type: "progress" | "success" | "failure"; readonly text: string }
  | { readonly type: "none" };

export const FIRST_STATE: ToastState = { isOnFallback: false };

/** The engine's events in the words that people see. `maxRetries` is the setting: a fallback has that many tries in all. */
export function tellToast(
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
      // A reason that is told before a wait makes room for the number once the retry starts.
      const retry = { number, most, isToBeTold: text !== undefined && event.delayMs > 0 };
      return { state: { ...state, retry }, toast: progress(text ?? attemptText(number, most)) };
    }
    case "attempt-start": {
      const { retry } = state;
      if (retry === undefined || !retry.isToBeTold) return { state };
      return {
        state: { ...state, retry: { ...retry, isToBeTold: false } },
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

/** A person who stops or gives up knows it; and where nothing was retried there is nothing to tell. */
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
