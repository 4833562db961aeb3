import { isHealth, sayFailure, sayPatience } from "../../terminal/index.ts";
import type { SessionEvent } from "../../wire/index.ts";
import { statusPageOf } from "./status-pages.ts";

type RetryStart = Extract<SessionEvent, { type: "auto_retry_start" }>;

/** C3: shorter waits are over before the warning is read. */
const WORTH_A_WARNING_MS = 3000;
/** C8: from these retries on it is more than a hiccup, and then an outage. */
const LONGER = 11;
const OUTAGE = 31;
/** This many 429s in a row are more than a burst. */
const REPEATED = 5;

const CUT_OFF = "API unavailable (circuit breaker triggered)";

/** C3, C8: the warnings before the waits of an exchange. */
export class RetryWarnings {
  /** Waits of the schedule: a wait for a cooldown or a breaker does not count. */
  #retries = 0;
  /** How many 429 came in a row. */
  #rateLimits = 0;

  /** The lines before this wait; none before a short one. `longestMs` is the longest wait of the console's own schedule. */
  hear(start: RetryStart, longestMs: number): readonly string[] {
    if (start.attempt === 1) this.#retries = this.#rateLimits = 0;
    if (!start.heldBack) {
      this.#retries++;
      this.#rateLimits = start.status === 429 ? this.#rateLimits + 1 : 0;
    }
    if (start.delayMs <= WORTH_A_WARNING_MS) return [];
    const seconds = Math.ceil(start.delayMs / 1000);
    const heldBack = isHealth(start) ? start.errorMessage : isCutOff(start, longestMs) ? CUT_OFF : undefined;
    const what =
      heldBack === undefined
        ? `API request failed (${sayFailure(start)}), retrying in ${seconds} seconds... (attempt ${this.#retries})`
        : `${heldBack}, retrying in ${seconds} seconds...`;
    const patience = sayPatience(start.waitedMs ?? 0, start.patienceMs);
    const waited = patience === "" ? [] : [`   ${patience.replace(/^w/, "W")}`];
    return [`⚠️  ${what}`, "   Press Ctrl-C to cancel", ...waited, ...this.#advice(start.provider)];
  }

  /** The quota line is added to the escalation and does not replace it: a provider in trouble may well send 429. */
  #advice(provider: string | undefined): readonly string[] {
    const quota = "   Repeated rate limits: check your quota and plan";
    return [...escalation(this.#retries, provider), ...(this.#rateLimits >= REPEATED ? [quota] : [])];
  }
}

/** C9: a wait that is longer than any of our own schedule, or not on it, and not for a limit: the provider is cut off. */
function isCutOff({ heldBack, delayMs, kind }: RetryStart, longestMs: number): boolean {
  const isLimit = kind === "rate_limit" || kind === "usage_limit";
  return !isLimit && (heldBack || delayMs > longestMs);
}

function escalation(retry: number, provider: string | undefined): readonly string[] {
  if (retry >= OUTAGE) return [`   This looks like an outage: see ${statusPageOf(provider)}`];
  return retry >= LONGER ? ["   Taking longer than usual; the provider may have an outage"] : [];
}
