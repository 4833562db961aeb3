import type { ChatState } from "./chat-state.ts";
import type { Item } from "./item.ts";

/** One more thing at the end, with an id of our own. */
export function addItem(state: ChatState, make: (id: string) => Item): ChatState {
  return { ...state, items: [...state.items, make(`own-${state.nextId}`)], nextId: state.nextId + 1 };
}
