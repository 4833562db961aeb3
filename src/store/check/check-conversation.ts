import { checkArray, checkObject } from "../../kernel/index.ts";
import type { NewEntry } from "../store.ts";
import { checkName, checkText, encodeJson } from "./check-text.ts";

export interface EncodedEntry {
  readonly type: string;
  readonly json: string;
}

/** Encoded at once: what the caller does to its object afterwards changes nothing. */
export function encodeEntries(entries: readonly NewEntry[]): readonly EncodedEntry[] {
  return checkArray("entries", entries).map((entry, index) => {
    const { type, data } = checkObject(`entries[${index}]`, entry, ["type", "data"]);
    return { type: checkName(`entries[${index}].type`, type), json: encodeJson(`entries[${index}].data`, data) };
  });
}

export function checkConversation(conversation: { readonly id: string; readonly title: string }): {
  readonly id: string;
  readonly title: string;
} {
  const { id, title } = checkObject("conversation", conversation, ["id", "title"]);
  return { id: checkName("conversation.id", id), title: checkText("conversation.title", title) };
}
