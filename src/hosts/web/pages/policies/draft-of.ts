import type { Policy } from "../../../../kernel/index.ts";
import type { Draft } from "./check-draft.ts";
import { valueAt } from "./policy-path.ts";

/** A policy to edit: plain data, not frozen. */
export function draftOf(policy: Policy): Draft {
  return JSON.parse(JSON.stringify(policy)) as Draft;
}

/** Whether a field is as it was saved. */
export function isSame(draft: Draft, saved: Draft, path: string): boolean {
  return JSON.stringify(sorted(valueAt(draft, path))) === JSON.stringify(sorted(valueAt(saved, path)));
}

/** How many fields differ, as a person counts them: a part that is switched on or off is one, and so is a list. */
export function countChanges(draft: unknown, saved: unknown): number {
  if (!isObject(draft) || !isObject(saved))
    return JSON.stringify(sorted(draft)) === JSON.stringify(sorted(saved)) ? 0 : 1;
  const keys = new Set([...Object.keys(draft), ...Object.keys(saved)]);
  return [...keys].reduce((sum, key) => sum + countChanges(draft[key], saved[key]), 0);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Keys in one order: a field that was taken away and put back is at the end. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
