import type { RetryEvent } from "../../../wire/index.ts";

/** C7: how retries fared since the chat was opened. */
export interface Metrics {
  readonly retries: number;
  /** Chains of retries by how they ended. */
  readonly good: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Between the first retry of a chain and its end, all ended chains together. */
  readonly retryMs: number;
  /** By HTTP status, or `none` where the failure had none. */
  readonly byStatus: Readonly<Record<string, { readonly retries: number; readonly good: number }>>;
  /** Chains under way, by origin. */
  readonly open: Readonly<Record<string, { readonly sinceMs: number; readonly status: string }>>;
}

export const NO_METRICS: Metrics = {
  retries: 0,
  good: 0,
  failed: 0,
  cancelled: 0,
  retryMs: 0,
  byStatus: {},
  open: {},
};

const CANCELLED = "Retry cancelled";
const OWN = "";

export function countRetry(metrics: Metrics, event: RetryEvent, atMs: number): Metrics {
  const origin = event.origin ?? OWN;
  const chain = metrics.open[origin];
  if (event.type === "auto_retry_start") {
    const status = statusOf(event.errorMessage);
    const known = metrics.byStatus[status] ?? { retries: 0, good: 0 };
    return {
      ...metrics,
      retries: metrics.retries + 1,
      byStatus: { ...metrics.byStatus, [status]: { ...known, retries: known.retries + 1 } },
      open: { ...metrics.open, [origin]: { sinceMs: chain?.sinceMs ?? atMs, status } },
    };
  }
  if (event.type !== "auto_retry_end" || chain === undefined) return metrics;
  const { [origin]: ended, ...open } = metrics.open;
  const outcome = event.success ? "good" : event.finalError === CANCELLED ? "cancelled" : "failed";
  const known = metrics.byStatus[chain.status] ?? { retries: 0, good: 0 };
  return {
    ...metrics,
    [outcome]: metrics[outcome] + 1,
    retryMs: metrics.retryMs + Math.max(0, atMs - chain.sinceMs),
    byStatus: event.success
      ? { ...metrics.byStatus, [chain.status]: { ...known, good: known.good + 1 } }
      : metrics.byStatus,
    open,
  };
}

/** Providers' words begin with the status where there was one: "HTTP 503: …". */
function statusOf(message: string): string {
  return /^HTTP (\d{3})\b/.exec(message)?.[1] ?? "none";
}

/** Of the chains that nobody cancelled, how many ended well; undefined: there was none. */
export function successRate({ good, failed }: Metrics): number | undefined {
  return good + failed === 0 ? undefined : good / (good + failed);
}

/** Mean time of a chain from its first retry to its end; undefined: none has ended. */
export function meanRetryMs({ good, failed, cancelled, retryMs }: Metrics): number | undefined {
  const ended = good + failed + cancelled;
  return ended === 0 ? undefined : retryMs / ended;
}
