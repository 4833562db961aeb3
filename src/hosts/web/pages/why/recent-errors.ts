import type { ActivityAttempt, ActivityRecord } from "../../../../wire/http/activity.ts";

const MOST = 6;

/** The failed attempts that ended last, newest first. The same failure again on the same model is one entry. */
export function recentErrors(records: Iterable<ActivityRecord>): readonly ActivityAttempt[] {
  const failed = [...records]
    .flatMap(({ attempts }) => attempts)
    .filter(
      ({ ok, kind, endedAt }) => ok === false && kind !== undefined && kind !== "aborted" && endedAt !== undefined,
    )
    .sort((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0));
  const seen = new Set<string>();
  const recent: ActivityAttempt[] = [];
  for (const attempt of failed) {
    const key = [attempt.kind, attempt.status, attempt.target.provider, attempt.target.model].join();
    if (seen.has(key)) continue;
    seen.add(key);
    recent.push(attempt);
    if (recent.length === MOST) break;
  }
  return recent;
}
