import { checkConversation, type EncodedEntry, encodeEntries } from "../check/check-conversation.ts";
import type { ConversationStore, ConversationSummary, Entry, NewEntry } from "../store.ts";
import { conversationExists, unknownConversation } from "../store-error.ts";

interface Kept {
  readonly id: string;
  readonly createdAt: number;
  title: string;
  updatedAt: number;
  /** Entry `seq` lies at `seq - 1`, as JSON, so that no caller can change it. */
  readonly entries: (EncodedEntry & { readonly at: number })[];
}

export class MemoryConversations implements ConversationStore {
  readonly #wallNow: () => number;
  readonly #kept = new Map<string, Kept>();

  constructor(wallNow: () => number) {
    this.#wallNow = wallNow;
  }

  async create(conversation: { readonly id: string; readonly title: string }): Promise<void> {
    const { id, title } = checkConversation(conversation);
    if (this.#kept.has(id)) throw conversationExists(id);
    const at = this.#wallNow();
    this.#kept.set(id, { id, title, createdAt: at, updatedAt: at, entries: [] });
  }

  async rename(id: string, title: string): Promise<void> {
    const checked = checkConversation({ id, title });
    const kept = this.#find(checked.id);
    kept.title = checked.title;
    kept.updatedAt = this.#wallNow();
  }

  async get(id: string): Promise<ConversationSummary | undefined> {
    const kept = this.#kept.get(id);
    return kept === undefined ? undefined : summaryOf(kept);
  }

  async list({ limit }: { readonly limit?: number } = {}): Promise<readonly ConversationSummary[]> {
    // Reversed first: of two updated in the same millisecond, the one created later comes first.
    const newestFirst = [...this.#kept.values()].reverse().sort((a, b) => b.updatedAt - a.updatedAt);
    return newestFirst.slice(0, limit).map(summaryOf);
  }

  async append(id: string, entries: readonly NewEntry[]): Promise<number> {
    const encoded = encodeEntries(entries);
    const kept = this.#find(id);
    if (encoded.length === 0) return kept.entries.length;
    const at = this.#wallNow();
    kept.updatedAt = at;
    for (const entry of encoded) kept.entries.push({ ...entry, at });
    return kept.entries.length;
  }

  async read(id: string, { last }: { readonly last?: number } = {}): Promise<readonly Entry[]> {
    const { entries } = this.#find(id);
    const first = last === undefined ? 0 : Math.max(0, entries.length - last);
    return entries
      .slice(first)
      .map(({ at, type, json }, index) => ({ seq: first + index + 1, at, type, data: JSON.parse(json) }));
  }

  async remove(id: string): Promise<void> {
    this.#kept.delete(this.#find(id).id);
  }

  #find(id: string): Kept {
    const kept = this.#kept.get(id);
    if (kept === undefined) throw unknownConversation(id);
    return kept;
  }
}

function summaryOf({ id, title, createdAt, updatedAt, entries }: Kept): ConversationSummary {
  return { id, title, createdAt, updatedAt, entries: entries.length };
}
