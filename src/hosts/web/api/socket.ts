import { shallowRef } from "vue";
import { schedule } from "../../../kernel/index.ts";
import type { ActivityMessage } from "../../../wire/http/activity.ts";
import type { SocketMessage, SocketRequest } from "../../../wire/http/chat.ts";
import type { AgentEvent } from "../../../wire/turn-event.ts";
import { lockedOut, openSession, sessionToken } from "./http.ts";
import { serverClock } from "./server-clock.ts";

/** What a conversation's subscriber gets. `joined`: a replay of the turn under way follows, so earlier events of it are forgotten. */
export interface ConversationListener {
  joined(): void;
  event(event: AgentEvent): void;
  error(message: string): void;
}

type ActivityListener = (message: ActivityMessage) => void;

/** Quick at first, since the server was most likely just restarted. */
const RECONNECT = schedule({ type: "exponential", baseMs: 400, factor: 1.6, capMs: 5000, jitter: "equal" });

const listeners = new Map<string, Set<ConversationListener>>();
const watchers = new Set<ActivityListener>();
const joins = new Set<() => void>();
let socket: WebSocket | undefined;
let failures = 0;
let timer: number | undefined;

/** `lost`: it was open and is being opened again. */
export const socketState = shallowRef<"closed" | "open" | "lost">("closed");

/** Opens the page's one WebSocket and opens it again whenever it closes. */
export function connect(): void {
  window.clearTimeout(timer);
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const opened = new WebSocket(`${scheme}://${location.host}/ws?token=${encodeURIComponent(sessionToken())}`);
  socket = opened;
  opened.addEventListener("open", () => {
    failures = 0;
    socketState.value = "open";
    if (watchers.size > 0) write({ type: "activity.subscribe" });
    for (const [conversationId, all] of listeners) {
      write({ type: "chat.subscribe", conversationId });
      for (const listener of all) listener.joined();
    }
    for (const join of joins) join();
  });
  opened.addEventListener("message", ({ data }) => receive(JSON.parse(String(data)) as SocketMessage));
  opened.addEventListener("close", () => {
    if (opened !== socket) return;
    socketState.value = "lost";
    failures += 1;
    timer = window.setTimeout(reopen, RECONNECT.delayFor(failures, { random: Math.random }) ?? 5000);
  });
}

/** A new token first: a restarted server does not know the old one. */
async function reopen(): Promise<void> {
  try {
    const { needsKey } = await openSession();
    // The login form connects.
    if (needsKey) lockedOut.value += 1;
    else connect();
  } catch {
    failures += 1;
    timer = window.setTimeout(reopen, RECONNECT.delayFor(failures, { random: Math.random }) ?? 5000);
  }
}

function write(request: SocketRequest): boolean {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify(request));
  return true;
}

function receive(message: SocketMessage): void {
  switch (message.type) {
    case "chat.delta": {
      const { event } = message;
      if (event.type === "provider-retry" && event.retryAt !== undefined)
        serverClock.heard(event.retryAt - event.delayMs);
      for (const listener of listeners.get(event.conversationId) ?? []) listener.event(event);
      return;
    }
    case "chat.error":
      for (const [id, all] of listeners)
        if (message.conversationId === undefined || message.conversationId === id)
          for (const listener of all) listener.error(message.message);
      return;
    case "activity.delta":
      for (const watcher of watchers) watcher(message);
      return;
  }
}

/** Follows a conversation: the turn under way from its first event, then everything that comes. */
export function followConversation(conversationId: string, listener: ConversationListener): () => void {
  const all = listeners.get(conversationId) ?? new Set();
  listeners.set(conversationId, all.add(listener));
  write({ type: "chat.subscribe", conversationId });
  listener.joined();
  return () => {
    all.delete(listener);
    if (all.size > 0) return;
    listeners.delete(conversationId);
    write({ type: "chat.unsubscribe", conversationId });
  };
}

export function followActivity(watcher: ActivityListener): () => void {
  watchers.add(watcher);
  if (watchers.size === 1) write({ type: "activity.subscribe" });
  return () => {
    watchers.delete(watcher);
    if (watchers.size === 0) write({ type: "activity.unsubscribe" });
  };
}

/** Runs whenever the socket has been opened, the first time too. */
export function onJoined(join: () => void): () => void {
  joins.add(join);
  return () => joins.delete(join);
}
