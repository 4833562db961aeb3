import type { FailureKind } from "../../../../kernel/index.ts";
import type { ActivityRecord } from "../../../../wire/http/activity.ts";

/** What the filters of the page choose. Absent: all. The same words as the query of `GET /api/activity`. */
export interface Filters {
  readonly outcome?: Outcome;
  readonly kind?: FailureKind;
  readonly provider?: string;
  readonly client?: string;
}

export const OUTCOMES = ["first", "retried", "failed", "aborted", "running"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export function outcomeOf({ state, outcome, attemptCount }: ActivityRecord): Outcome {
  if (state !== "ended") return "running";
  if (outcome === "succeeded") return attemptCount <= 1 ? "first" : "retried";
  return outcome === "aborted" || outcome === "gave-up" ? "aborted" : "failed";
}

/** As the server filters the pages, for the records that arrive live. */
export function matchRecord(record: ActivityRecord, { outcome, kind, provider, client }: Filters): boolean {
  if (outcome !== undefined && outcomeOf(record) !== outcome) return false;
  if (kind !== undefined && !record.attempts.some((attempt) => attempt.kind === kind)) return false;
  if (provider !== undefined && !isOfProvider(record, provider)) return false;
  return client === undefined || record.client === client;
}

function isOfProvider(record: ActivityRecord, provider: string): boolean {
  if (record.asked.startsWith(`${provider}/`)) return true;
  return record.attempts.some(({ target }) => target.provider === provider);
}

export const isFiltered = (filters: Filters): boolean => Object.values(filters).some((value) => value !== undefined);
