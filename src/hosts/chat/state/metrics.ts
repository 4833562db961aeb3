import type { RetryEvent } from "../../../wire/index.ts";

/** Retries of one prompt or tool call that belong together, from the first failure to the end. */
interface Chain {
  readonly sinceMs: number;
  /** Whether a call came of the last start. If not, the next start is another wait for the same retry: a cooldown's, say. */
  readonly isCalled: boolean;
  readonly status: string;
  /** Retries that were really made before it. */
  readonly made: number;
  /** Its wait, so far: that of a cooldown may follow the one of the schedule. */
  readonly waitedMs: number;
  readonly waitFromMs: number;
  readonly waitUntilMs: number;
}

interface StatusCount {
  readonly retries: number;
  /** Retries after which the answer came. */
  readonly good: number;
}

/** C7: how retries fared since the chat was opened. As in the console, a wait that was cancelled is no retry. */
export interface Metrics {
  /** Made in chains that have ended, or that have gone on to the next one. */
  readonly retries: number;
  /** Chains in which something was tried again, and how many of them got their answer. */
  readonly retried: number;
  readonly good: number;
  /** Chains that somebody ended. */
  readonly cancelled: number;
  /** Waits before retries, in all. */
  readonly waitedMs: number;
  /** From the first failure to the end, of the chains that were retried, in all. */
  readonly retryingMs: number;
  /** By HTTP status, or `none` where the failure had none. */
  readonly byStatus: ReadonlyMap<string, StatusCount>;
  /** Chains under way, by origin. A tool call's is the provider's word: no key of an object. */
  readonly open: ReadonlyMap<string | undefined, Chain>;
}

export const NO_METRICS: Metrics = {
  retries: 0,
  retried: 0,
  good: 0,
  cancelled: 0,
  waitedMs: 0,
  retryingMs: 0,
  byStatus: new Map(),
  open: new Map(),
};

const CANCELLED = "Retry cancelled";

export function countRetry(metrics: Metrics, event: RetryEvent, atMs: number): Metrics {
  if (event.type === "auto_retry_start") return startRetry(metrics, event, atMs);
  return event.type === "auto_retry_end" ? endChain(metrics, event, atMs) : metrics;
}

function startRetry(
  before: Metrics,
  { origin, delayMs, errorMessage }: Extract<RetryEvent, { type: "auto_retry_start" }>,
  atMs: number,
): Metrics {
  const known = before.open.get(origin);
  const isNext = known?.isCalled === true;
  const metrics = isNext ? countMade(before, known, { isGood: false }) : before;
  const chain: Chain = {
    sinceMs: known?.sinceMs ?? atMs,
    // Nothing is told of the calls of tools but their retries: there each start counts.
    isCalled: origin !== undefined,
    status: statusOf(errorMessage),
    made: (known?.made ?? 0) + (isNext ? 1 : 0),
    waitedMs: known === undefined || isNext ? 0 : waitOf(known, atMs),
    waitFromMs: atMs,
    waitUntilMs: atMs + delayMs,
  };
  return { ...metrics, open: new Map(metrics.open).set(origin, chain) };
}

function endChain(
  before: Metrics,
  { origin, success, finalError }: Extract<RetryEvent, { type: "auto_retry_end" }>,
  atMs: number,
): Metrics {
  const chain = before.open.get(origin);
  if (chain === undefined) return before;
  const isCancelled = !success && finalError === CANCELLED;
  // Cancelled while it was waited for: no call came of it.
  const isMade = !isCancelled || isOver(chain, atMs);
  const metrics = isMade ? countMade(before, chain, { isGood: success }) : before;
  const open = new Map(metrics.open);
  open.delete(origin);
  const cancelled = metrics.cancelled + (isCancelled ? 1 : 0);
  if (chain.made === 0 && !isMade) return { ...metrics, cancelled, open };
  return {
    ...metrics,
    cancelled,
    open,
    retried: metrics.retried + 1,
    good: metrics.good + (success ? 1 : 0),
    retryingMs: metrics.retryingMs + Math.max(0, atMs - chain.sinceMs),
  };
}

function countMade(metrics: Metrics, chain: Chain, { isGood }: { readonly isGood: boolean }): Metrics {
  const { retries, good } = metrics.byStatus.get(chain.status) ?? { retries: 0, good: 0 };
  return {
    ...metrics,
    retries: metrics.retries + 1,
    waitedMs: metrics.waitedMs + waitOf(chain, chain.waitUntilMs),
    byStatus: new Map(metrics.byStatus).set(chain.status, { retries: retries + 1, good: good + (isGood ? 1 : 0) }),
  };
}

/** The prompt's own call has been made: an answer begins, if only to fail. */
export function countCall(metrics: Metrics): Metrics {
  const chain = metrics.open.get(undefined);
  if (chain === undefined) return metrics;
  return { ...metrics, open: new Map(metrics.open).set(undefined, { ...chain, isCalled: true }) };
}

/** Somebody has ended the waits by trying again now. */
export function endWaitsNow(metrics: Metrics, atMs: number): Metrics {
  const shortened = [...metrics.open].map(
    ([origin, chain]) => [origin, { ...chain, waitUntilMs: Math.min(chain.waitUntilMs, atMs) }] as const,
  );
  return { ...metrics, open: new Map(shortened) };
}

/** With those that are being made at this moment. */
export function retriesMade({ retries, open }: Metrics, nowMs: number): number {
  return retries + [...open.values()].filter((chain) => isOver(chain, nowMs)).length;
}

function isOver({ waitUntilMs }: Chain, nowMs: number): boolean {
  return nowMs >= waitUntilMs;
}

function waitOf({ waitedMs, waitFromMs, waitUntilMs }: Chain, atMs: number): number {
  return waitedMs + Math.max(0, Math.min(waitUntilMs, atMs) - waitFromMs);
}

/** Providers' words begin with the status where there was one: "HTTP 503: …". */
function statusOf(message: string): string {
  return /^HTTP (\d{3})\b/.exec(message)?.[1] ?? "none";
}
