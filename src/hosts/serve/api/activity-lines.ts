import type { Activity } from "../../../activity/activity.ts";
import type { ActivityMessage, ActivityRecord } from "../../../wire/http/activity.ts";
import { sendActivity } from "../chat/send-activity.ts";

/** A connection that is gone shows only when something is sent. */
const EVERY_MS = 15_000;

/**
 * Changes of activity as lines of JSON. While the client does not read, changes gather, each record once: a slow client gets fewer
 * lines, not more memory. `stopping`: the server shuts down, and the lines end.
 */
export function activityLines(
  activity: Pick<Activity, "running" | "subscribe" | "health">,
  signal: AbortSignal,
  stopping?: AbortSignal,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const records = new Map<string, ActivityRecord>();
  let health: ActivityMessage["health"];
  let isDue = false;
  let flush = (): void => undefined;
  let end = (): void => undefined;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (): void => {
        if (!isDue || (controller.desiredSize ?? 0) <= 0) return;
        const message: ActivityMessage = {
          type: "activity.delta",
          records: [...records.values()],
          ...(health !== undefined && { health }),
        };
        records.clear();
        health = undefined;
        isDue = false;
        controller.enqueue(encoder.encode(`${JSON.stringify(message)}\n`));
      };
      flush = send;
      const stop = sendActivity(activity, (message) => {
        for (const record of message.records) records.set(record.id, record);
        health = message.health ?? health;
        isDue = true;
        send();
      });
      const beat = setInterval(() => {
        isDue = true;
        send();
      }, EVERY_MS);
      const close = (): void => {
        end();
        controller.close();
      };
      end = () => {
        stop();
        clearInterval(beat);
        stopping?.removeEventListener("abort", close);
      };
      stopping?.addEventListener("abort", close, { once: true });
      signal.addEventListener("abort", end, { once: true });
      if (signal.aborted) end();
    },
    pull: () => flush(),
    cancel: () => end(),
  });
}
