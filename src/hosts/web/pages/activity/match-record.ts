import { type ActivityOutcome, matches } from "../../../../activity/list-records.ts";
import type { FailureKind } from "../../../../kernel/index.ts";
import type { ActivityRecord } from "../../../../wire/http/activity.ts";

/** What the filters of the page choose. Absent: all. The same words as the query of `GET /api/activity`. */
export interface Filters {
  readonly outcome?: ActivityOutcome;
  readonly kind?: FailureKind;
  readonly provider?: string;
  readonly client?: string;
  readonly door?: string;
}

export const OUTCOMES = [
  "first",
  "retried",
  "failed",
  "aborted",
  "running",
] as const satisfies readonly ActivityOutcome[];

/** The server filters its pages; the page filters what arrives live, by the same rule. */
export function matchRecord(record: ActivityRecord, filters: Filters): boolean {
  return matches(record, filters);
}

export const isFiltered = (filters: Filters): boolean => Object.values(filters).some((value) => value !== undefined);
