import { sayPatience, sayReason } from "../../../terminal/index.ts";
import type { SessionEvent } from "../../../wire/index.ts";

type RetryStart = Extract<SessionEvent, { type: "auto_retry_start" }>;

/** A wait before a retry. The prompt and each tool call can have one at the same time. */
export interface Wait {
  /** Absent: the prompt's own. */
  readonly origin?: string;
  readonly attempt: number;
  readonly maxAttempts: number | null;
  readonly untilMs: number;
  /** What was waited before this wait, and the longest that the policy waits in all; absent: it has no limit in time. */
  readonly patience?: { readonly waitedMs: number; readonly mostMs: number; readonly fromMs: number };
  /** In words. */
  readonly reason: string;
  /** The provider's message, verbatim. */
  readonly errorMessage: string;
}

/** A retry without a delay (another key or model) is no wait. */
export function startWait(waits: readonly Wait[], event: RetryStart, atMs: number): readonly Wait[] {
  const { origin, attempt, maxAttempts, delayMs, errorMessage } = event;
  const others = endWait(waits, origin);
  if (delayMs === 0) return others;
  const { waitedMs = 0, patienceMs } = event;
  const wait = {
    ...{ attempt, maxAttempts, untilMs: atMs + delayMs, reason: sayReason(event, errorMessage), errorMessage },
    ...(patienceMs !== undefined && { patience: { waitedMs, mostMs: patienceMs, fromMs: atMs } }),
  };
  return [...others, origin === undefined ? wait : { ...wait, origin }];
}

export function endWait(waits: readonly Wait[], origin: string | undefined): readonly Wait[] {
  return waits.filter((wait) => wait.origin !== origin);
}

/** Waits whose loader shows now. No event ends a wait; the clock does. */
export function shownWaits(waits: readonly Wait[], nowMs: number): readonly Wait[] {
  return waits.filter(({ untilMs }) => untilMs > nowMs);
}

/** S10: the loader's text. */
export function loaderText({ attempt, maxAttempts, untilMs }: Wait, nowMs: number): string {
  const seconds = Math.max(0, Math.ceil((untilMs - nowMs) / 1000));
  return `Retrying (${attempt}/${maxAttempts ?? "∞"}) in ${seconds}s… (esc to cancel)`;
}

/** Why there is a wait, and where the policy limits all waits, how much of that is used up. */
export function reasonText({ reason, patience }: Wait, nowMs: number): string {
  if (patience === undefined) return reason;
  const waitedMs = patience.waitedMs + Math.max(0, nowMs - patience.fromMs);
  return `${sayPatience(waitedMs, patience.mostMs)} · ${reason}`;
}

/** S10: the notice after the last retry has failed. */
export function failureText(attempt: number, finalError: string | undefined): string {
  return `Retry failed after ${attempt} attempts: ${finalError ?? "unknown error"}`;
}
