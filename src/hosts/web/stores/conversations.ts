import { defineStore } from "pinia";
import { computed, shallowRef, watch } from "vue";
import type { ConversationSummary } from "../../../wire/http/chat.ts";
import { api } from "../api/http.ts";
import { onJoined } from "../api/socket.ts";
import { useActivity } from "./activity.ts";

/** The list in the side bar. How a conversation stands comes live from its generations; the rest is read again after each. */
export const useConversations = defineStore("conversations", () => {
  const activity = useActivity();
  const stored = shallowRef<readonly ConversationSummary[]>([]);
  const isLoaded = shallowRef(false);
  let reading: Promise<void> | undefined;
  let isStale = false;
  const removed = new Set<string>();

  /** Requests that come while one is under way become one more. */
  async function load(): Promise<void> {
    if (reading !== undefined) {
      isStale = true;
      return reading;
    }
    reading = api
      .get<{ conversations: readonly ConversationSummary[] } | readonly ConversationSummary[]>("/api/conversations")
      .then((answer) => {
        stored.value = "conversations" in answer ? answer.conversations : answer;
        isLoaded.value = true;
      })
      .finally(() => {
        reading = undefined;
      });
    await reading;
    if (isStale) {
      isStale = false;
      await load();
    }
  }

  const live = computed(() => {
    const states = new Map<string, Pick<ConversationSummary, "state" | "retryAt">>();
    for (const { conversationId, state, wait } of activity.running) {
      if (conversationId === undefined) continue;
      states.set(
        conversationId,
        state === "waiting" && wait !== undefined ? { state: "waiting", retryAt: wait.until } : { state: "running" },
      );
    }
    return states;
  });

  /** Newest first. */
  const list = computed(() => stored.value.map((one) => ({ ...one, ...live.value.get(one.id) })));

  // A conversation started or stopped running, here, in another tab or in a terminal.
  watch(
    () => [...live.value.keys()].sort().join(),
    () => void load().catch(() => undefined),
  );
  onJoined(() => void load().catch(() => undefined));

  return {
    list,
    isLoaded,
    load,
    async rename(id: string, title: string): Promise<void> {
      await api.patch(`/api/conversations/${id}`, { title });
      await load();
    },
    async remove(id: string): Promise<void> {
      removed.add(id);
      try {
        await api.delete(`/api/conversations/${id}`);
      } catch (error) {
        removed.delete(id);
        throw error;
      }
      await load();
    },
    /** This page has removed it, or is about to. */
    isRemoved: (id: string): boolean => removed.has(id),
  };
});
