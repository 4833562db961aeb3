import type { Activity } from "../../../activity/index.ts";
import type { ActivityRecord } from "../../../wire/http/activity.ts";
import { logLine } from "./log-line.ts";

/** Writes one line for each generation that ends. Returns a function that stops it. */
export function logGenerations(
  activity: Pick<Activity, "subscribe">,
  format: "text" | "json",
  write: (text: string) => void,
): () => void {
  // A record that has ended may change once more, for example when its usage comes late.
  const recent = new Set<string>();
  return activity.subscribe((records) => {
    for (const record of records) {
      if (record.state !== "ended" || recent.has(record.id)) continue;
      remember(recent, record);
      write(`${logLine(record, format)}\n`);
    }
  });
}

const MOST_RECENT = 1000;

function remember(recent: Set<string>, { id }: ActivityRecord): void {
  recent.add(id);
  const [oldest] = recent;
  if (recent.size > MOST_RECENT && oldest !== undefined) recent.delete(oldest);
}
