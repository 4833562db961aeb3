import { sayReason } from "../../../terminal/index.ts";
import type { RetryEvent } from "../../../wire/index.ts";
import { parseSelector } from "../../../wire/selector.ts";
import { addItem } from "./add-item.ts";
import type { ChatState } from "./chat-state.ts";
import type { Tone } from "./item.ts";
import { endWait, failureText, startWait } from "./wait.ts";

/** S10: retries and moves. Each move is one line; a wait is a loader; an end without an answer is said once. */
export function hearRetry(state: ChatState, event: RetryEvent, atMs: number): ChatState {
  switch (event.type) {
    case "auto_retry_start": {
      const { origin, delayMs, attempt, maxAttempts, errorMessage } = event;
      const waiting = { ...state, waits: startWait(state.waits, event, atMs), moved: without(state.moved, origin) };
      // At once, and to no other model: then it is another key.
      if (delayMs > 0 || state.moved.includes(origin)) return waiting;
      const count = `(${attempt}/${maxAttempts ?? "∞"})`;
      const text = `Trying another key of ${providerOf(state.model)} ${count}: ${sayReason(event, errorMessage)}`;
      return sayInOneLine(waiting, "warn", text, errorMessage);
    }
    case "auto_retry_end": {
      const ended = { ...state, waits: endWait(state.waits, event.origin) };
      if (event.success) return ended;
      const failed = say(ended, "error", failureText(event.attempt, event.finalError));
      // A tool's retries are not the turn's.
      return event.origin === undefined ? { ...withoutLastError(failed), isFailureTold: true } : failed;
    }
    case "retry_fallback_applied":
      // The new model comes first, because a narrow screen cuts the end.
      return sayInOneLine(
        { ...state, moved: [...state.moved, event.origin] },
        "warn",
        `Switched to ${event.to} from ${event.from}`,
      );
    case "retry_fallback_succeeded":
      return sayInOneLine(state, "good", `${event.model} answers now`);
    default:
      return event satisfies never;
  }
}

function say(state: ChatState, tone: Tone, text: string): ChatState {
  return addItem(state, (id) => ({ kind: "notice", id, tone, text }));
}

function sayInOneLine(state: ChatState, tone: Tone, text: string, details?: string): ChatState {
  return addItem(state, (id) => ({
    ...{ kind: "notice", id, tone, text, isOneLine: true },
    ...(details !== undefined && { details }),
  }));
}

function providerOf(model: string): string {
  return parseSelector(model)?.provider ?? model;
}

function without(moved: ChatState["moved"], origin: string | undefined): ChatState["moved"] {
  return moved.filter((other) => other !== origin);
}

/** The failing answer said the same just above: one of the two is enough. What it had said of an answer stays. */
function withoutLastError(state: ChatState): ChatState {
  const at = state.items.findLastIndex(({ kind }) => kind === "assistant" || kind === "user");
  const item = state.items[at];
  if (item?.kind !== "assistant" || item.remark?.tone !== "error") return state;
  const { remark, ...rest } = item;
  const isEmpty = item.text === "" && item.reasoning === "";
  return { ...state, items: isEmpty ? state.items.toSpliced(at, 1) : state.items.with(at, rest) };
}
