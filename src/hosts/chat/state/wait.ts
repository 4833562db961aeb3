import type { SessionEvent } from "../../../wire/index.ts";

type RetryStart = Extract<SessionEvent, { type: "auto_retry_start" }>;

/** A retry that is waited for. Several may wait side by side: the prompt's own, and those of tool calls. */
export interface Wait {
  /** Left out: the prompt's own. */
  readonly origin?: string;
  readonly attempt: number;
  readonly maxAttempts: number | null;
  readonly untilMs: number;
  readonly errorMessage: string;
}

/** The waits after a retry was announced. One without a delay is no wait: another key or model is tried at once. */
export function startWait(waits: readonly Wait[], event: RetryStart, atMs: number): readonly Wait[] {
  const { origin, attempt, maxAttempts, delayMs, errorMessage } = event;
  const others = endWait(waits, origin);
  if (delayMs === 0) return others;
  const wait = { attempt, maxAttempts, untilMs: atMs + delayMs, errorMessage };
  return [...others, origin === undefined ? wait : { ...wait, origin }];
}

export function endWait(waits: readonly Wait[], origin: string | undefined): readonly Wait[] {
  return waits.filter((wait) => wait.origin !== origin);
}

/** Those whose loader shows now. Nobody tells when a wait is over; the clock knows. */
export function shownWaits(waits: readonly Wait[], nowMs: number): readonly Wait[] {
  return waits.filter(({ untilMs }) => untilMs > nowMs);
}

/** S10: the loader's words. */
export function loaderText({ attempt, maxAttempts, untilMs }: Wait, nowMs: number): string {
  const seconds = Math.max(0, Math.ceil((untilMs - nowMs) / 1000));
  return `Retrying (${attempt}/${maxAttempts ?? "∞"}) in ${seconds}s… (esc to cancel)`;
}

/** S10: what is said when a chain of retries has ended without a good answer. */
export function failureText(attempt: number, finalError: string | undefined): string {
  return `Retry failed after ${attempt} attempts: ${finalError ?? "unknown error"}`;
}
