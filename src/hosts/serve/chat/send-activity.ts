import type { Activity } from "../../../activity/activity.ts";
import type { ActivityMessage, ActivityRecord } from "../../../wire/http/activity.ts";

/** At most ten messages a second, however many generations change. */
const PERIOD_MS = 100;
/** More changed records than this between two messages: the oldest are left out, the next page load has them. */
const MOST_RECORDS = 2000;

/** Sends what is under way, then every change, several in one message. Returns a function that ends it. */
export function sendActivity(
  activity: Pick<Activity, "running" | "subscribe" | "health">,
  say: (message: ActivityMessage) => void,
): () => void {
  const changed = new Map<string, ActivityRecord>();
  let told = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    const records = [...changed.values()];
    changed.clear();
    const health = activity.health();
    const shown = JSON.stringify(health);
    const isNew = shown !== told;
    told = shown;
    say({ type: "activity.delta", records, ...(isNew && { health }) });
  };
  const end = activity.subscribe((records) => {
    for (const record of records) {
      // Last changed, last in line.
      changed.delete(record.id);
      changed.set(record.id, record);
    }
    for (const id of changed.keys()) {
      if (changed.size <= MOST_RECORDS) break;
      changed.delete(id);
    }
    timer ??= setTimeout(flush, PERIOD_MS);
  });
  for (const record of activity.running()) changed.set(record.id, record);
  flush();
  return () => {
    end();
    clearTimeout(timer);
  };
}
