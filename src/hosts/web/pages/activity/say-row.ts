import type { ActivityRecord } from "../../../../wire/http/activity.ts";
import type { ActivityTexts } from "../../texts/activity.ts";
import { type FailureGroup, type FailureIcon, lookOf } from "../../track/failure-groups.ts";

/** When a generation started, in the time of this computer: "12:41:52"; of another day: "11-15 12:41". */
export function sayStart(startedAt: number, todayMs: number): string {
  const date = new Date(startedAt);
  const time = clock(date);
  if (isSameDay(date, new Date(todayMs))) return time;
  return `${two(date.getMonth() + 1)}-${two(date.getDate())} ${time.slice(0, 5)}`;
}

const two = (figure: number): string => `${figure}`.padStart(2, "0");
const clock = (date: Date): string => `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;

function isSameDay(one: Date, other: Date): boolean {
  return one.getDate() === other.getDate() && Math.abs(one.getTime() - other.getTime()) < 86_400_000;
}

/** Where a generation came in. A door that this page does not know has the name that the server gives it. */
export function sayDoor(door: string, { list }: Pick<ActivityTexts, "list">): string {
  return (Object.hasOwn(list.doors, door) ? list.doors[door] : undefined) ?? door;
}

export interface FailureMark {
  readonly icon: FailureIcon;
  readonly group: FailureGroup;
}

/** The last failures of a row as icons, and how many more there were. */
export function marksOf({ attempts }: ActivityRecord, most: number): { marks: readonly FailureMark[]; more: number } {
  const failed = attempts.flatMap(({ kind }) => (kind === undefined ? [] : [lookOf(kind)]));
  return { marks: failed.slice(-most), more: Math.max(0, failed.length - most) };
}

/** `provider/model` that was asked, and that which answered if it is another. Both of one provider: without its name. */
export function modelsOf({ asked, answered }: ActivityRecord): { asked: string; answered: string | undefined } {
  if (answered === undefined || answered === asked) return { asked, answered: undefined };
  const prefix = asked.slice(0, asked.indexOf("/") + 1);
  if (prefix === "" || !answered.startsWith(prefix)) return { asked, answered };
  return { asked: asked.slice(prefix.length), answered: answered.slice(prefix.length) };
}
