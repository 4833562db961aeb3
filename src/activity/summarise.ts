import type { FailureKind } from "../kernel/index.ts";
import type { ActivityRecord, ActivitySummary } from "../wire/http/activity.ts";
import { SDK_REPEATS, whySaved } from "./calls-saved.ts";
import { type ActivityOutcome, outcomeOf } from "./list-records.ts";

/** About twice as long each time: waits reach from moments to hours. */
const WAIT_BUCKETS_MS = [
  250, 500, 1000, 2000, 4000, 8000, 15_000, 30_000, 60_000, 120_000, 300_000, 900_000, 3_600_000,
] as const;
/** Spans of `savedOverTime`. */
const SPANS = 24;

/** Totals over all records. `at`: epoch milliseconds now. */
export function summarise(records: readonly ActivityRecord[], at: number): ActivitySummary {
  const since = records.reduce((oldest, { startedAt }) => Math.min(oldest, startedAt), at);
  const outcomes: Record<ActivityOutcome, number> = { first: 0, retried: 0, failed: 0, aborted: 0, running: 0 };
  const failures = new Counts<{ readonly kind: FailureKind; readonly provider: string }>();
  const saved = new Counts<Omit<ActivitySummary["saved"][number], "calls">>();
  const savedOverTime = Array.from({ length: SPANS }, () => 0);
  const waitedMs: number[] = [];
  const providers = new Set<string>();
  const clients = new Set<string>();
  const doors = new Set<string>();
  let waiting = 0;
  for (const record of records) {
    outcomes[outcomeOf(record)]++;
    if (record.state === "waiting") waiting++;
    if (record.waitedMs > 0) waitedMs.push(record.waitedMs);
    doors.add(record.door);
    if (record.client !== undefined) clients.add(record.client);
    for (const attempt of record.attempts) {
      const { kind, target } = attempt;
      const { provider } = target;
      providers.add(provider);
      // The caller's own end is no failure of a provider.
      if (kind === undefined || kind === "aborted") continue;
      failures.add(`${kind}\0${provider}`, { kind, provider });
      const reason = whySaved(record, attempt);
      if (reason === undefined) continue;
      saved.add(reason, { reason }, SDK_REPEATS);
      const span = spanOf(attempt.startedAt, since, at);
      savedOverTime[span] = (savedOverTime[span] ?? 0) + SDK_REPEATS;
    }
  }
  waitedMs.sort((a, b) => a - b);
  const { running, ...ended } = outcomes;
  return {
    since,
    at,
    generations: records.length,
    running,
    waiting,
    ...ended,
    medianWaitMs: quantile(waitedMs, 0.5),
    p95WaitMs: quantile(waitedMs, 0.95),
    waitBucketsMs: WAIT_BUCKETS_MS,
    waits: countWaits(waitedMs),
    failures: failures.largestFirst(({ kind, provider }, count) => ({ kind, provider, count })),
    saved: saved.largestFirst(({ reason }, calls) => ({ reason, calls })),
    savedOverTime,
    providers: [...providers].sort(),
    clients: [...clients].sort(),
    doors: [...doors].sort(),
  };
}

class Counts<Subject> {
  readonly #counts = new Map<string, { readonly subject: Subject; count: number }>();

  add(key: string, subject: Subject, by = 1): void {
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { subject, count: by });
    else known.count += by;
  }

  largestFirst<T>(make: (subject: Subject, count: number) => T): readonly T[] {
    const sorted = [...this.#counts.values()].sort((a, b) => b.count - a.count);
    return sorted.map(({ subject, count }) => make(subject, count));
  }
}

function spanOf(atMs: number, since: number, at: number): number {
  const share = at > since ? (atMs - since) / (at - since) : 0;
  return Math.min(SPANS - 1, Math.max(0, Math.floor(share * SPANS)));
}

/** The smallest value that at least this share of all does not exceed. */
function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

function countWaits(waitedMs: readonly number[]): readonly number[] {
  const counts: number[] = Array.from({ length: WAIT_BUCKETS_MS.length + 1 }, () => 0);
  for (const ms of waitedMs) {
    const place = WAIT_BUCKETS_MS.findIndex((limit) => ms < limit);
    const bucket = place < 0 ? WAIT_BUCKETS_MS.length : place;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}
