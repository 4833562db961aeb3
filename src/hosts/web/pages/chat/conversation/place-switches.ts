import type { ActivityRecord } from "../../../../../wire/http/activity.ts";
import type { ChatItem } from "./chat-item.ts";

export type Row = ChatItem | { readonly type: "switches"; readonly key: string; readonly record: ActivityRecord };

/** Changes of model and key stand before what their step wrote: none happens after its first content. */
export function placeSwitches(items: readonly ChatItem[], records: readonly ActivityRecord[]): readonly Row[] {
  if (!records.some(({ attempts }) => attempts.some(({ moved }) => moved !== undefined))) return items;
  const rows: Row[] = [];
  let step = 0;
  let isPlaced = false;
  for (const item of items) {
    const record = records[step];
    if (!isPlaced && item.type !== "user" && item.type !== "model-change" && item.type !== "compaction") {
      isPlaced = true;
      if (record !== undefined) rows.push({ type: "switches", key: `switches:${record.id}`, record });
    }
    rows.push(item);
    if (item.type === "end" || item.type === "error") {
      step += 1;
      isPlaced = false;
    }
  }
  return rows;
}
