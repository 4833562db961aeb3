import type { HealthItem, HealthView } from "../wire/http/activity.ts";

/** The clocks that an end is worked out from differ by moments. */
const SAME_END_MS = 500;
const SAME_SHARE = 0.05;

/** Whether two views are the same to a person, so that the second one need not be sent. */
export function isSameHealth(one: HealthView, other: HealthView): boolean {
  return (
    one.items.length === other.items.length &&
    one.items.every((item, place) => isSameItem(item, other.items[place])) &&
    String(one.fine) === String(other.fine) &&
    JSON.stringify(one.budgets) === JSON.stringify(other.budgets)
  );
}

function isSameItem(one: HealthItem, other: HealthItem | undefined): boolean {
  if (other === undefined || one.id !== other.id || one.type !== other.type) return false;
  if ((one.until === undefined) !== (other.until === undefined)) return false;
  if ((one.share === undefined) !== (other.share === undefined)) return false;
  const isSameEnd = Math.abs((one.until ?? 0) - (other.until ?? 0)) < SAME_END_MS;
  return isSameEnd && Math.abs((one.share ?? 0) - (other.share ?? 0)) < SAME_SHARE;
}
