import { onScopeDispose, type Ref, shallowRef, watch } from "vue";
import type { ActivitySummary } from "../../../../wire/http/activity.ts";
import { api } from "../../api/http.ts";

/** Totals are no ticker: a figure that changes every moment can't be read. */
const EVERY_MS = 3000;

/** The totals of the server, fetched again while something changes. */
export function useSummary(version: Readonly<Ref<number>>): Readonly<Ref<ActivitySummary | undefined>> {
  const summary = shallowRef<ActivitySummary>();
  let timer = 0;
  let isClosed = false;

  async function load(): Promise<void> {
    timer = 0;
    const loaded = await api.get<ActivitySummary>("/api/activity/summary").catch(() => undefined);
    if (!isClosed && loaded !== undefined) summary.value = loaded;
  }

  watch(version, () => {
    if (timer === 0 && !isClosed) timer = window.setTimeout(load, EVERY_MS);
  });
  void load();
  onScopeDispose(() => {
    isClosed = true;
    window.clearTimeout(timer);
  });
  return summary;
}
