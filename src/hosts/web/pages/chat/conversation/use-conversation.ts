import { computed, onScopeDispose, type Ref, shallowRef, watch } from "vue";
import type { ConversationView } from "../../../../../wire/http/chat.ts";
import type { AgentEvent } from "../../../../../wire/turn-event.ts";
import { ApiFailure } from "../../../api/api-failure.ts";
import { api } from "../../../api/http.ts";
import { followConversation } from "../../../api/socket.ts";
import { oncePerFrame } from "../../../parts/next-frame.ts";
import { useConversations } from "../../../stores/conversations.ts";
import { joinTurns } from "./join-turns.ts";
import { loadClassifier } from "./kind-of.ts";
import { storedTurns } from "./stored-items.ts";
import { TurnItems } from "./turn-items.ts";

/** The replay of a running turn arrives within moments. */
const REPLAY_MS = 1000;

/** One conversation as it is stored, and its turns as they happen. */
export function useConversation(id: Ref<string>) {
  const view = shallowRef<ConversationView>();
  const state = shallowRef<"loading" | "ready" | "missing" | "failed">("loading");
  const problem = shallowRef<unknown>();
  const conversations = useConversations();
  /** Turns whose events this page has seen, in their order. */
  const live = new Map<string, TurnItems>();
  /** Raised when what is shown may have changed, at most once per frame. */
  const version = shallowRef(0);
  let unfollow: (() => void) | undefined;
  let recheck: number | undefined;
  const frame = oncePerFrame(() => {
    version.value += 1;
  });

  async function load(): Promise<void> {
    const asked = id.value;
    window.clearTimeout(recheck);
    // Deleting a conversation seals its running turn, and that end arrives here before the page has left.
    if (conversations.isRemoved(asked)) return;
    try {
      const found = await api.get<ConversationView>(`/api/conversations/${encodeURIComponent(asked)}`);
      if (asked !== id.value) return;
      for (const turn of live.values()) if (isGone(turn, found)) live.delete(turn.turnId);
      version.value += 1;
      view.value = found;
      state.value = "ready";
      problem.value = undefined;
      // A turn that ended before the server knew of this subscriber is not replayed, and its end does not arrive.
      const isUnheard = found.turnId !== undefined && !live.has(found.turnId);
      if (isUnheard) recheck = window.setTimeout(load, REPLAY_MS);
    } catch (error) {
      if (asked !== id.value) return;
      problem.value = error;
      const isMissing = error instanceof ApiFailure && error.status === 404;
      if (isMissing || view.value === undefined) state.value = isMissing ? "missing" : "failed";
    }
  }

  function hear(event: AgentEvent): void {
    if (event.type === "turn-start" || !live.has(event.turnId)) live.set(event.turnId, new TurnItems(event.turnId));
    live.get(event.turnId)?.apply(event, performance.now());
    if (event.type === "turn-start") void loadClassifier();
    // The store has given the messages their numbers, and the conversation perhaps its title.
    if (event.type === "turn-sealed") void load();
    frame.ask();
  }

  watch(
    id,
    (next) => {
      unfollow?.();
      live.clear();
      view.value = undefined;
      state.value = "loading";
      version.value += 1;
      unfollow = followConversation(next, {
        joined: () => void load(),
        event: hear,
        error: () => void load(),
      });
    },
    { immediate: true },
  );
  onScopeDispose(() => {
    unfollow?.();
    window.clearTimeout(recheck);
    frame.cancel();
  });

  const stored = computed(() => storedTurns(view.value?.lines ?? []));
  const turns = computed(() => {
    void version.value;
    return joinTurns(stored.value, [...live.values()]);
  });
  const running = computed(() => {
    void version.value;
    return [...live.values()].find(({ status }) => status === undefined);
  });
  const path = computed(() => `/api/conversations/${encodeURIComponent(id.value)}`);

  return {
    view,
    state,
    problem,
    turns,
    load,
    isRunning: computed(() => running.value !== undefined || view.value?.turnId !== undefined),
    isInterrupted: computed(() => view.value?.state === "interrupted" && running.value === undefined),
    steer: (content: string) => api.post(`${path.value}/steer`, { content }),
    stop: () => api.post(`${path.value}/abort`),
    proceed: (choice: TurnChoice) => api.start(`${path.value}/continue`, choice),
    resend: (seq: number, message: string, choice: TurnChoice) =>
      api.start(`${path.value}/resend`, { seq, message, ...choice }),
  };
}

/** It ended while this page was not connected, and the store knows the rest of it; or it left the conversation with an edited message. */
function isGone({ turnId, status }: TurnItems, found: ConversationView): boolean {
  if (status === undefined) return turnId !== found.turnId;
  return !found.lines.some((line) => line.type === "message" && line.turnId === turnId);
}

/** What a turn may choose. */
export interface TurnChoice {
  readonly model?: string;
  readonly policy?: string;
}

/** Sends a message, to a new conversation if `conversationId` is absent. Returns its id. */
export async function sendMessage(
  request: TurnChoice & { readonly conversationId?: string; readonly message: string },
): Promise<string> {
  return (await api.start("/chat", request)) ?? request.conversationId ?? "";
}
