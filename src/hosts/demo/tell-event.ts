import { type GenerationEvent, targetName } from "../../kernel/index.ts";
import { cleanText, sayDuration, sayKind } from "../../terminal/index.ts";

/** One thing to say: a mark of one column, the text, and how it should feel. */
export interface Telling {
  readonly mark: string;
  readonly text: string;
  readonly mood: "calm" | "bad" | "good" | "change";
}

/** What an event means to someone who watches; undefined: nothing that was not said already. */
export function tellEvent(event: GenerationEvent): Telling | undefined {
  switch (event.type) {
    case "attempt-start":
      return { mark: "→", text: `Attempt ${event.attempt}: ${targetName(event.target)}`, mood: "calm" };
    case "attempt-end":
      return event.failure === undefined ? undefined : { mark: "✗", text: sayFailure(event.failure), mood: "bad" };
    case "wait-start":
      return { mark: "·", text: sayWait(event), mood: "change" };
    case "wait-end":
      return event.ended === "elapsed" ? undefined : { mark: "·", text: sayEarlyEnd(event), mood: "change" };
    case "target-switch":
      return { mark: "⇢", text: sayMove(event), mood: "change" };
    case "attempt-discard":
      return { mark: "↩", text: "Takes back what was shown: an answer is never patched together", mood: "change" };
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
      return `Changes the key at once: ${from.credential} to ${to.credential}`;
    case "switch": {
      const wait = failure?.hintMs === undefined ? "" : `, rather than wait ${sayDuration(failure.hintMs)}`;
      return `Changes the model at once${wait}: ${from.model} to ${to.model}`;
    }
    case "revert":
      return `Comes back to ${targetName(to)}: it is well again`;
    default:
      return how satisfies never;
  }
}

type FailureOf = NonNullable<Extract<GenerationEvent, { type: "attempt-end" }>["failure"]>;

function sayFailure({ kind, status, message }: FailureOf): string {
  const said = cleanText(message).split("\n", 1)[0] ?? "";
  return `${sayKind(kind)}${status === undefined ? "" : ` (${status})`}: ${said}`;
}

function sayWait({ delayMs, failure, retry, maxRetries }: Extract<GenerationEvent, { type: "wait-start" }>): string {
  const count = maxRetries === null ? `retry ${retry}` : `retry ${retry} of ${maxRetries}`;
  return `Waits ${sayDuration(delayMs)}${failure.hintMs === delayMs ? ", as asked" : ""} (${count})`;
}

function sayEarlyEnd({ ended, waitedMs }: Extract<GenerationEvent, { type: "wait-end" }>): string {
  return ended === "retry-now"
    ? `Retries now, on your word, after ${sayDuration(waitedMs)}`
    : `Given up after ${sayDuration(waitedMs)} of this wait`;
}
