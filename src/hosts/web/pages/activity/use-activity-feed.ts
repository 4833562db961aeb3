import { onScopeDispose, type Ref, shallowRef, watch } from "vue";
import type { ActivityMessage, ActivityPage, ActivityRecord } from "../../../../wire/http/activity.ts";
import { api } from "../../api/http.ts";
import { sayFailure } from "../../api/say-failure.ts";
import { followActivity, onJoined } from "../../api/socket.ts";
import { useActivity } from "../../stores/activity.ts";
import { ActivityLog, type Entry } from "./activity-log.ts";
import { type Filters, isFiltered, matchRecord } from "./match-record.ts";

/** Changes are gathered this long: at 200 generations a second the list is drawn eight times, not 600. */
const GATHER_MS = 120;
const PAGE_SIZE = 200;

export type Reason = "pointer" | "focus" | "scrolled" | "paused";

export interface ActivityFeed {
  /** Oldest first. Replaced when rows come or go. */
  readonly rows: Readonly<Ref<readonly Entry[]>>;
  /** Counts up with every change of a record. */
  readonly version: Readonly<Ref<number>>;
  /** Rows that wait until the list is let go. */
  readonly fresh: Readonly<Ref<number>>;
  readonly state: Readonly<Ref<"loading" | "ready" | "failed">>;
  readonly older: Readonly<Ref<"more" | "loading" | "failed" | "end" | "cut">>;
  readonly problem: Readonly<Ref<string>>;
  readonly get: (id: string) => ActivityRecord | undefined;
  /** While there is a reason, no row is added above those that are shown. */
  readonly hold: (reason: Reason, isHeld: boolean) => void;
  /** Shows what has come in meanwhile; the list stays held. */
  readonly showFresh: () => void;
  readonly loadOlder: () => Promise<void>;
  readonly reload: () => Promise<void>;
}

/** The rows of the list: pages of the server and what comes in live, as the filters choose. */
export function useActivityFeed(filters: Readonly<Ref<Filters>>): ActivityFeed {
  const store = useActivity();
  const rows = shallowRef<readonly Entry[]>([]);
  const version = shallowRef(0);
  const fresh = shallowRef(0);
  const state = shallowRef<"loading" | "ready" | "failed">("loading");
  const older = shallowRef<"more" | "loading" | "failed" | "end" | "cut">("more");
  const problem = shallowRef("");
  const reasons = new Set<Reason>();
  const pending = new Map<string, ActivityRecord>();
  let log = new ActivityLog();
  let heldAt = Number.POSITIVE_INFINITY;
  let next: string | undefined;
  let timer = 0;
  /** Counts the loads: what belongs to an earlier one is ignored. */
  let load = 0;

  const isWanted = (record: ActivityRecord): boolean => matchRecord(record, filters.value);

  function show(): void {
    const hasFilter = isFiltered(filters.value);
    let count = 0;
    rows.value = log.entries.filter(({ serial, record }) => {
      if (hasFilter && !isWanted(record)) return false;
      if (serial <= heldAt) return true;
      count++;
      return false;
    });
    fresh.value = count;
  }

  function flush(): void {
    timer = 0;
    const changed = [...pending.values()].filter((record) => log.get(record.id) !== undefined || isWanted(record));
    pending.clear();
    if (changed.length === 0) return;
    const hasAdded = log.apply(changed);
    version.value++;
    if (log.isCut) older.value = "cut";
    if (hasAdded || (isFiltered(filters.value) && reasons.size === 0)) show();
  }

  function hear({ records }: Pick<ActivityMessage, "records">): void {
    for (const record of records) pending.set(record.id, record);
    if (timer === 0) timer = window.setTimeout(flush, GATHER_MS);
  }

  function hold(reason: Reason, isHeld: boolean): void {
    const wasHeld = reasons.size > 0;
    if (isHeld) reasons.add(reason);
    else reasons.delete(reason);
    if (wasHeld === reasons.size > 0) return;
    heldAt = wasHeld ? Number.POSITIVE_INFINITY : log.newest;
    if (wasHeld) show();
  }

  function showFresh(): void {
    if (reasons.size > 0) heldAt = log.newest;
    show();
  }

  const fetchPage = (before?: string): Promise<ActivityPage> => {
    const query = new URLSearchParams({ limit: `${PAGE_SIZE}`, ...(before !== undefined && { before }) });
    for (const [name, value] of Object.entries(filters.value)) if (value !== undefined) query.set(name, value);
    return api.get<ActivityPage>(`/api/activity?${query}`);
  };

  async function reload(): Promise<void> {
    const mine = ++load;
    state.value = "loading";
    try {
      const page = await fetchPage();
      if (mine !== load) return;
      log = new ActivityLog();
      log.apply(page.records.toReversed());
      log.apply(store.running.filter(isWanted));
      heldAt = reasons.size > 0 ? log.newest : Number.POSITIVE_INFINITY;
      next = page.next;
      older.value = next === undefined ? "end" : "more";
      state.value = "ready";
      version.value++;
      show();
    } catch (error) {
      if (mine !== load) return;
      state.value = "failed";
      problem.value = sayFailure(error);
    }
  }

  async function loadOlder(): Promise<void> {
    if (older.value !== "more" && older.value !== "failed") return;
    const mine = load;
    older.value = "loading";
    try {
      const page = await fetchPage(next);
      if (mine !== load) return;
      next = page.next;
      older.value = next === undefined ? "end" : "more";
      if (log.addOlder(page.records)) show();
    } catch (error) {
      if (mine !== load) return;
      older.value = "failed";
      problem.value = sayFailure(error);
    }
  }

  /** After the connection was lost: what was missed is on the first page, or the list starts anew. */
  async function rejoin(): Promise<void> {
    if (state.value !== "ready") return reload();
    const mine = load;
    const page = await fetchPage().catch(() => undefined);
    if (page === undefined || mine !== load) return;
    const isJoined = page.next === undefined || page.records.some(({ id }) => log.get(id) !== undefined);
    if (isJoined) hear({ records: page.records.toReversed() });
    else await reload();
  }

  watch(filters, reload, { immediate: true });
  const unfollow = followActivity(hear);
  const leave = onJoined(() => void rejoin());
  onScopeDispose(() => {
    load++;
    window.clearTimeout(timer);
    unfollow();
    leave();
  });

  return {
    rows,
    version,
    fresh,
    state,
    older,
    problem,
    get: (id) => log.get(id)?.record,
    hold,
    showFresh,
    loadOlder,
    reload,
  };
}
