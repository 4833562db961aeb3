import type {
  ConversationStore,
  ConversationSummary,
  Entry,
  Experience,
  ExperienceStore,
  NewEntry,
} from "../../src/store/store.ts";

/** Conversations in memory: what the store's port promises, without a disk. */
export class MapConversations implements ConversationStore {
  readonly #entries = new Map<string, Entry[]>();
  readonly #titles = new Map<string, string>();
  /** Set to make writing fail. */
  fault: Error | undefined;
  /** Set to make each write wait for this first. */
  gate: (() => Promise<void>) | undefined;

  async create({ id, title }: { readonly id: string; readonly title: string }): Promise<void> {
    if (this.#entries.has(id)) throw new Error(`conversation ${id} is there already`);
    this.#entries.set(id, []);
    this.#titles.set(id, title);
  }

  async rename(id: string, title: string): Promise<void> {
    this.#titles.set(id, title);
  }

  async get(id: string): Promise<ConversationSummary | undefined> {
    const entries = this.#entries.get(id)?.length;
    if (entries === undefined) return undefined;
    return { id, title: this.#titles.get(id) ?? "", createdAt: 0, updatedAt: 0, entries };
  }

  async list(): Promise<readonly ConversationSummary[]> {
    const all = await Promise.all([...this.#entries.keys()].map((id) => this.get(id)));
    return all.filter((summary) => summary !== undefined);
  }

  async append(id: string, added: readonly NewEntry[]): Promise<number> {
    await this.gate?.();
    if (this.fault !== undefined) throw this.fault;
    const entries = this.#entries.get(id);
    if (entries === undefined) throw new Error(`no conversation ${id}`);
    for (const { type, data } of added)
      entries.push({ seq: entries.length + 1, at: 0, type, data: structuredClone(data) });
    return entries.length;
  }

  async read(id: string, { last }: { readonly last?: number } = {}): Promise<readonly Entry[]> {
    const entries = this.#entries.get(id) ?? [];
    return last === undefined ? [...entries] : entries.slice(Math.max(0, entries.length - last));
  }

  async remove(id: string): Promise<void> {
    this.#entries.delete(id);
    this.#titles.delete(id);
  }

  /** What was written, to look at. */
  kept(id: string): readonly Entry[] {
    return this.#entries.get(id) ?? [];
  }
}

export class MapExperience implements ExperienceStore {
  readonly added: Parameters<ExperienceStore["add"]>[0][] = [];
  readonly #known: readonly Experience[];

  constructor(known: readonly Experience[] = []) {
    this.#known = known;
  }

  async add(outcome: Parameters<ExperienceStore["add"]>[0]): Promise<void> {
    this.added.push(outcome);
  }

  async list(): Promise<readonly Experience[]> {
    return this.#known;
  }
}
