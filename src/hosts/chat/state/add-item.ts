import type { ChatState } from "./chat-state.ts";
import type { Item, Tone } from "./item.ts";

/** Appends an item, with an id made here. */
export function addItem(state: ChatState, make: (id: string) => Item): ChatState {
  return { ...state, items: [...state.items, make(`own-${state.nextId}`)], nextId: state.nextId + 1 };
}

export function addNotice(state: ChatState, tone: Tone, text: string): ChatState {
  return addItem(state, (id) => ({ kind: "notice", id, tone, text }));
}
