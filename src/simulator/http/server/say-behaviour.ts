import type { Behaviour } from "../behaviour/behaviour.ts";
import type { ErrorName } from "../dialects/errors.ts";
import { FAULTS } from "../faults/fault-table.ts";

const ERRORS: Readonly<Record<ErrorName, string>> = {
  "rate-limited": "rate limited",
  quota: "credit used up",
  overloaded: "overloaded",
  down: "service unavailable",
  "server-error": "internal server error",
  "bad-gateway": "bad gateway",
  timeout: "gateway timeout",
  overflow: "conversation too long",
  unauthorized: "key rejected",
  forbidden: "not permitted",
  "not-found": "no such model",
  "bad-request": "invalid request",
  "too-large": "request too large",
};

/**
 * What a behaviour did to a call, to be read after "was": "refused with HTTP 529 (overloaded)". Undefined: it was answered.
 * `status` is 0 if no head was sent.
 */
export function sayBehaviour(behaviour: Behaviour, status: number): string | undefined {
  switch (behaviour.type) {
    case "answer":
      return behaviour.content === "empty" ? "answered without a word" : undefined;
    case "error":
      return `refused with HTTP ${status} (${ERRORS[behaviour.name]})`;
    case "leak":
      return behaviour.as === "error" ? `refused with HTTP ${status} (overloaded)` : undefined;
    case "stall":
      return behaviour.tokens === 0 ? "accepted, but never answered" : `silent after ${sayWords(behaviour.tokens)}`;
    case "cut":
      return `cut off after ${sayWords(behaviour.tokens)}`;
    case "fault":
      return sayFault(behaviour.number, status);
    default:
      return behaviour satisfies never;
  }
}

function sayWords(count: number): string {
  return count === 1 ? "one word" : `${count} words`;
}

function sayFault(number: number, status: number): string {
  if (number === 6) return "lost (connection reset)";
  if (number === 16)
    return status < 400 ? "answered with an HTML page" : `refused with HTTP ${status} and an HTML page`;
  const title = FAULTS[number]?.title ?? "unknown";
  return status >= 400 ? `refused with HTTP ${status} (${title})` : `spoilt by fault ${number} (${title})`;
}
