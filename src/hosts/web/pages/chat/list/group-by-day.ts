/** Groups of the side bar, newest first. */
export const DAY_GROUPS = ["today", "yesterday", "week", "month", "older"] as const;
export type DayGroup = (typeof DAY_GROUPS)[number];

/** The group of a moment, by calendar days of this computer. A moment in the future is today. */
export function dayGroup(atMs: number, nowMs: number): DayGroup {
  const days = Math.round((midnight(nowMs) - midnight(atMs)) / 86_400_000);
  if (days <= 0) return "today";
  if (days === 1) return "yesterday";
  if (days <= 7) return "week";
  return days <= 30 ? "month" : "older";
}

/** Rounding makes up for days of 23 and 25 hours. */
function midnight(atMs: number): number {
  const date = new Date(atMs);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
}

export interface DayOf<T> {
  readonly group: DayGroup;
  readonly items: readonly T[];
}

/** Without empty groups; inside one, last changed first. */
export function groupByDay<T extends { readonly updatedAt: number }>(
  items: readonly T[],
  nowMs: number,
): readonly DayOf<T>[] {
  const sorted = items.toSorted((one, other) => other.updatedAt - one.updatedAt);
  return DAY_GROUPS.map((group) => ({
    group,
    items: sorted.filter(({ updatedAt }) => dayGroup(updatedAt, nowMs) === group),
  })).filter((day) => day.items.length > 0);
}
