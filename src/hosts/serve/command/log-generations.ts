import { type Activity, generationFacts, sayGeneration } from "../../../activity/index.ts";
import type { ActivityRecord } from "../../../wire/http/activity.ts";

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
      write(`${format === "json" ? JSON.stringify(generationFacts(record)) : textLine(record)}\n`);
    }
  });
}

function textLine(record: ActivityRecord): string {
  const { endedAt = record.startedAt, client } = record;
  const time = new Date(endedAt).toISOString().slice(11, 19);
  // The server itself checks the names of clients: letters, digits, and little more.
  return `${time} ${client === undefined ? "" : `${client} `}${sayGeneration(record)}`;
}

const MOST_RECENT = 1000;

function remember(recent: Set<string>, { id }: ActivityRecord): void {
  recent.add(id);
  const [oldest] = recent;
  if (recent.size > MOST_RECENT && oldest !== undefined) recent.delete(oldest);
}
