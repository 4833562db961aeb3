import { defineStore } from "pinia";
import { computed, shallowRef, triggerRef } from "vue";
import type { ActivityMessage, ActivityPage, ActivityRecord, HealthView } from "../../../wire/http/activity.ts";
import { api } from "../api/http.ts";
import { serverClock } from "../api/server-clock.ts";
import { followActivity, onJoined } from "../api/socket.ts";
import { oncePerFrame } from "../parts/next-frame.ts";

/** The oldest are dropped beyond this. */
const MOST_RECORDS = 10_000;

/**
 * The generations that this page knows, by id, oldest first. Changes are gathered and shown once per animation frame: 200 a second
 * cost no more than 60.
 */
export const useActivity = defineStore("activity", () => {
  const records = shallowRef(new Map<string, ActivityRecord>());
  /** Apart from the rest, so that no change looks through thousands of records. */
  const underWay = shallowRef(new Map<string, ActivityRecord>());
  const health = shallowRef<HealthView>();
  const pending = new Map<string, ActivityRecord>();
  let isFollowing = false;

  function merge(changed: Iterable<ActivityRecord>): void {
    const known = records.value;
    for (const record of changed) {
      known.set(record.id, record);
      if (record.state === "ended") underWay.value.delete(record.id);
      else underWay.value.set(record.id, record);
    }
    for (const id of known.keys()) {
      if (known.size <= MOST_RECORDS) break;
      known.delete(id);
    }
    triggerRef(records);
    triggerRef(underWay);
  }

  const frame = oncePerFrame(() => {
    merge(pending.values());
    pending.clear();
  });

  function hear(message: ActivityMessage): void {
    for (const record of message.records) {
      pending.set(record.id, record);
      if (record.endedAt !== undefined) serverClock.heard(record.endedAt);
      else if (record.wait !== undefined) serverClock.heard(record.wait.startedAt);
    }
    if (message.health !== undefined) health.value = message.health;
    frame.ask();
  }

  /** From the start of the page on. */
  function follow(): void {
    if (isFollowing) return;
    isFollowing = true;
    followActivity(hear);
    // What is under way follows; a restarted server has forgotten the rest.
    onJoined(() => {
      underWay.value.clear();
      triggerRef(underWay);
    });
  }

  /** Puts records from the journal before those that are known. */
  function addOlder(page: ActivityPage): void {
    const older = page.records.filter(({ id }) => !records.value.has(id)).toReversed();
    records.value = new Map([...older.map((record) => [record.id, record] as const), ...records.value]);
  }

  /** The newest from the journal, for what happened before this page was opened. */
  async function load(limit = 100): Promise<void> {
    addOlder(await api.get<ActivityPage>(`/api/activity?limit=${limit}`));
  }

  const running = computed(() => [...underWay.value.values()]);
  const waiting = computed(() => running.value.filter(({ state }) => state === "waiting"));

  return {
    records,
    health,
    running,
    waiting,
    follow,
    load,
    addOlder,
    /** B8. */
    retryNow: (id: string) => api.post(`/api/generations/${encodeURIComponent(id)}/retry-now`),
    giveUp: (id: string) => api.post(`/api/generations/${encodeURIComponent(id)}/give-up`),
    clearHealth: (id: string) => api.delete(`/api/health/${encodeURIComponent(id)}`),
  };
});
