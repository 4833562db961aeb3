import { InvalidInput } from "../kernel/index.ts";
import type { ACTIVITY_OUTCOMES, ActivityPage, ActivityQuery, ActivityRecord } from "../wire/http/activity.ts";

/** How a record counts in filters and totals. */
export type ActivityOutcome = (typeof ACTIVITY_OUTCOMES)[number];

/** A person's "give up" and the end of the process count like an abort: the generation did not fail, it was ended. */
export function outcomeOf({
  outcome,
  attemptCount,
  interrupted,
}: Pick<ActivityRecord, "outcome" | "attemptCount" | "interrupted">): ActivityOutcome {
  if (interrupted === true) return "aborted";
  if (outcome === undefined) return "running";
  if (outcome === "succeeded") return attemptCount > 1 ? "retried" : "first";
  return outcome === "aborted" || outcome === "gave-up" ? "aborted" : "failed";
}

/** One page of the records that a query asks for. `newestFirst`: all records. */
export function listRecords(newestFirst: readonly ActivityRecord[], query: ActivityQuery): ActivityPage {
  const { limit } = query;
  const records: ActivityRecord[] = [];
  for (let place = startOf(newestFirst, query.before); place < newestFirst.length; place++) {
    const record = newestFirst[place] as ActivityRecord;
    if (!matches(record, query)) continue;
    // One more than asked for shows that there is another page.
    if (records.length === limit) return { records, next: cursorOf(records[limit - 1] as ActivityRecord) };
    records.push(record);
  }
  return { records };
}

/** Also what the page asks of the records that arrive live. */
export function matches(
  record: ActivityRecord,
  { outcome, kind, provider, client, door }: Omit<ActivityQuery, "limit" | "before">,
): boolean {
  if (outcome !== undefined && outcomeOf(record) !== outcome) return false;
  if (client !== undefined && record.client !== client) return false;
  if (door !== undefined && record.door !== door) return false;
  if (kind !== undefined && !record.attempts.some((attempt) => attempt.kind === kind)) return false;
  return provider === undefined || record.attempts.some(({ target }) => target.provider === provider);
}

/** With the time, because the record itself may have made room for newer ones when the next page is asked for. */
function cursorOf({ startedAt, id }: ActivityRecord): string {
  return `${startedAt}:${id}`;
}

function startOf(newestFirst: readonly ActivityRecord[], cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [, time, id] = /^(\d+(?:\.\d+)?):(.+)$/s.exec(cursor) ?? [];
  if (time === undefined || id === undefined) throw new InvalidInput("before", cursor, "`next` of an earlier page");
  const place = newestFirst.findIndex((record) => record.id === id);
  if (place >= 0) return place + 1;
  const older = newestFirst.findIndex(({ startedAt }) => startedAt < Number(time));
  return older < 0 ? newestFirst.length : older;
}
