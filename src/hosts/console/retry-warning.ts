import type { GenerationEvent } from "../../kernel/index.ts";
import { sayFailure } from "../../terminal/index.ts";
import { statusPageOf } from "./status-pages.ts";

type WaitStart = Extract<GenerationEvent, { type: "wait-start" }>;

export interface Warned {
  readonly wait: WaitStart;
  /** How many 429 came in a row, this one included. */
  readonly rateLimits: number;
  /** The longest wait that the console makes by itself. */
  readonly longestMs: number;
}

/** C3: shorter waits are over before anyone has read about them. */
const WORTH_A_WARNING_MS = 3000;
/** C8: from these retries on it is more than a hiccup, and then an outage. */
const LONGER = 11;
const OUTAGE = 31;
/** So many 429 in a row are no burst any more. */
const REPEATED = 5;

const CUT_OFF = "API unavailable (circuit breaker triggered)";

/** C3, C8: what is said before a wait; nothing before a short one. */
export function retryWarning({ wait, rateLimits, longestMs }: Warned): readonly string[] {
  if (wait.delayMs <= WORTH_A_WARNING_MS) return [];
  const seconds = Math.ceil(wait.delayMs / 1000);
  const heldBack = isOurOwn(wait.failure) ? wait.failure.message : isCutOff(wait, longestMs) ? CUT_OFF : undefined;
  const what =
    heldBack === undefined
      ? `API request failed (${sayFailure(wait.failure)}), retrying in ${seconds} seconds... (attempt ${wait.retry})`
      : `${heldBack}, retrying in ${seconds} seconds...`;
  return [`⚠️  ${what}`, "   Press Ctrl-C to cancel", ...adviceFor(wait, rateLimits)];
}

/** No call was made: what holds it back is the engine's own word, and says it best. */
export function isOurOwn({ evidence }: WaitStart["failure"]): boolean {
  return evidence.startsWith("health:");
}

/** C9: longer than any wait of our own, or none of ours, and not for a used-up quota: the provider is cut off. */
function isCutOff({ schedule, delayMs, failure }: WaitStart, longestMs: number): boolean {
  return failure.kind !== "usage_limit" && (schedule === "" || delayMs > longestMs);
}

function adviceFor({ retry, failure }: WaitStart, rateLimits: number): readonly string[] {
  if (rateLimits >= REPEATED) return ["   Rate limited again and again: look at your quota and your plan"];
  if (retry >= OUTAGE) return [`   This looks like an outage: see ${statusPageOf(failure.target?.provider)}`];
  return retry >= LONGER ? ["   This takes longer than usual: the provider may have an outage"] : [];
}
