import { type Failure, type GenerationEvent, targetName } from "../../kernel/index.ts";
import { sayDuration, sayKind, sayMessage } from "../../terminal/index.ts";

/** One line on the screen: a mark of one column, the text, and its color. */
export interface EventLine {
  readonly mark: string;
  readonly text: string;
  readonly mood: "calm" | "bad" | "good" | "change";
}

/** An event for a viewer; undefined: nothing new to show. */
export function describeEvent(event: GenerationEvent): EventLine | undefined {
  switch (event.type) {
    case "attempt-start":
      return { mark: "→", text: `Attempt ${event.attempt}: ${targetName(event.target)}`, mood: "calm" };
    case "attempt-end":
      if (event.failure === undefined) return undefined;
      return {
        mark: "✗",
        text: `${sayKindAndStatus(event.failure)}: ${sayMessage(event.failure.message)}`,
        mood: "bad",
      };
    case "wait-start":
      return { mark: "·", text: sayWait(event), mood: "change" };
    case "wait-end":
      return event.ended === "elapsed" ? undefined : { mark: "·", text: sayEarlyEnd(event), mood: "change" };
    case "target-switch":
      return { mark: "⇢", text: sayMove(event), mood: "change" };
    case "attempt-discard":
      return { mark: "↩", text: "Discards the partial answer: an answer never mixes two attempts", mood: "change" };
    case "warning":
      return { mark: "!", text: event.message, mood: "bad" };
    case "generation-end":
      return undefined;
    default:
      return event satisfies never;
  }
}

function sayMove({ how, from, to, failure }: Extract<GenerationEvent, { type: "target-switch" }>): string {
  switch (how) {
    case "rotate":
      return `Switches to another key at once: ${from.credential} → ${to.credential}`;
    case "switch": {
      const wait = failure?.hintMs === undefined ? "" : ` instead of waiting ${sayDuration(failure.hintMs)}`;
      return `Switches to another model at once${wait}: ${from.model} → ${to.model}`;
    }
    case "revert":
      return `Returns to ${targetName(to)}, which works again`;
    default:
      return how satisfies never;
  }
}

/** "Quota used up (429)". The kind comes first: the same status can mean a rate limit or a used-up quota. */
export function sayKindAndStatus({ kind, status }: Pick<Failure, "kind" | "status">): string {
  return status === undefined ? sayKind(kind) : `${sayKind(kind)} (${status})`;
}

function sayWait({ delayMs, failure, retry, maxRetries }: Extract<GenerationEvent, { type: "wait-start" }>): string {
  const count = maxRetries === null ? `retry ${retry}` : `retry ${retry} of ${maxRetries}`;
  return `Waits ${sayDuration(delayMs)}${failure.hintMs === delayMs ? ", as requested" : ""} (${count})`;
}

function sayEarlyEnd({ ended, waitedMs }: Extract<GenerationEvent, { type: "wait-end" }>): string {
  return ended === "retry-now"
    ? `Retries now, as you asked, after ${sayDuration(waitedMs)}`
    : `Gave up after ${sayDuration(waitedMs)} of this wait`;
}
