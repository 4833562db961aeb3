import { type ChatState, initialState, reduce } from "../../../src/hosts/chat/state/chat-state.ts";
import type { SessionEvent } from "../../../src/wire/index.ts";

export const SIZE = { columns: 80, rows: 24 } as const;

export function freshState(): ChatState {
  return initialState({ id: "c1", model: "acme/large", items: [] }, SIZE);
}

/** Hears the events one after another, at the given moment. */
export function hear(state: ChatState, atMs: number, ...events: readonly SessionEvent[]): ChatState {
  return events.reduce((now, event) => reduce(now, { type: "event", event, atMs }), state);
}

export const start = (attempt: number, delayMs: number, more: object = {}): SessionEvent => ({
  type: "auto_retry_start",
  attempt,
  maxAttempts: 3,
  delayMs,
  errorMessage: "HTTP 503: down",
  ...{ kind: "overloaded", status: 503, evidence: "status:503", heldBack: false },
  ...more,
});

type RetryEnd = Extract<SessionEvent, { type: "auto_retry_end" }>;

export const end = (more: Pick<RetryEnd, "success" | "attempt"> & Partial<RetryEnd>): SessionEvent => ({
  type: "auto_retry_end",
  cancelled: more.finalError === "Retry cancelled",
  ...more,
});

/** What stands on the screen, in short. */
export function told({ items }: ChatState): readonly string[] {
  return items.map((item) => (item.kind === "tool" ? `tool: ${item.name}` : `${item.kind}: ${item.text}`));
}
