import { sql } from "kysely";
import { checkConversation, type EncodedEntry, encodeEntries } from "../check/check-conversation.ts";
import type { ConversationStore, ConversationSummary, Entry, NewEntry } from "../store.ts";
import { conversationExists, StoreError, unknownConversation } from "../store-error.ts";
import type { Connection } from "./connection.ts";
import { query } from "./query.ts";
import type { Schema } from "./schema.ts";
import { SqlitePart } from "./sqlite-part.ts";
import type { WriteQueue } from "./write-queue.ts";

type Row = Schema["conversations"];

export class SqliteConversations extends SqlitePart implements ConversationStore {
  readonly #wallNow: () => number;

  constructor(connection: Connection, queue: WriteQueue, wallNow: () => number) {
    super(connection, queue);
    this.#wallNow = wallNow;
  }

  async create(conversation: { readonly id: string; readonly title: string }): Promise<void> {
    const { id, title } = checkConversation(conversation);
    await this.queue.write(() => {
      if (this.#row(id) !== undefined) throw conversationExists(id);
      const at = this.#wallNow();
      this.connection.run(
        query
          .insertInto("conversations")
          .values({ key: nextKey, id, title, created_at: at, updated_at: at, entries: 0 }),
      );
    });
  }

  async rename(id: string, title: string): Promise<void> {
    const checked = checkConversation({ id, title });
    await this.queue.write(() => {
      const { key } = this.#find(id);
      const changes = { title: checked.title, updated_at: this.#wallNow() };
      this.connection.run(query.updateTable("conversations").set(changes).where("key", "=", key));
    });
  }

  async get(id: string): Promise<ConversationSummary | undefined> {
    const row = await this.whenUnlocked(() => this.#row(id));
    return row && summaryOf(row);
  }

  async list({ limit }: { readonly limit?: number } = {}): Promise<readonly ConversationSummary[]> {
    const all = query.selectFrom("conversations").selectAll().orderBy("updated_at", "desc").orderBy("key", "desc");
    const rows = await this.whenUnlocked(() => this.rows(limit === undefined ? all : all.limit(limit)));
    return rows.map(summaryOf);
  }

  async append(id: string, entries: readonly NewEntry[]): Promise<number> {
    const encoded = encodeEntries(entries);
    if (encoded.length === 0) return this.whenUnlocked(() => this.#find(id).entries);
    return this.queue.write(() => this.#append(id, encoded));
  }

  async read(id: string, { last }: { readonly last?: number } = {}): Promise<readonly Entry[]> {
    const columns = query.selectFrom("entries").select(["seq", "at", "type", "data"]);
    const rows = await this.whenUnlocked(() => {
      const { key, entries } = this.#find(id);
      const after = last === undefined ? 0 : entries - last;
      return this.rows(columns.where("conversation", "=", key).where("seq", ">", after).orderBy("seq"));
    });
    return rows.map(({ data, ...entry }) => ({ ...entry, data: this.#decode(data, `${id}, entry ${entry.seq}`) }));
  }

  async remove(id: string): Promise<void> {
    await this.queue.write(() => {
      const { key } = this.#find(id);
      this.connection.run(query.deleteFrom("entries").where("conversation", "=", key));
      this.connection.run(query.deleteFrom("conversations").where("key", "=", key));
    });
  }

  /** Inside a transaction, in which no other process can write: so the count is the last `seq`, and no `seq` is skipped. */
  #append(id: string, encoded: readonly EncodedEntry[]): number {
    const { key, entries } = this.#find(id);
    const at = this.#wallNow();
    let seq = entries;
    for (const { type, json } of encoded) {
      seq += 1;
      this.connection.run(query.insertInto("entries").values({ conversation: key, seq, at, type, data: json }));
    }
    const changes = { entries: seq, updated_at: at };
    this.connection.run(query.updateTable("conversations").set(changes).where("key", "=", key));
    return seq;
  }

  #row(id: string): Row | undefined {
    const [row] = this.rows(query.selectFrom("conversations").selectAll().where("id", "=", id));
    return row;
  }

  #find(id: string): Row {
    const row = this.#row(id);
    if (row === undefined) throw unknownConversation(id);
    return row;
  }

  #decode(json: string, where: string): unknown {
    try {
      return JSON.parse(json);
    } catch (cause) {
      const message = `The database ${this.connection.path} is damaged: conversation ${where} is not JSON. See docs/store.md.`;
      throw new StoreError("damaged", message, { cause });
    }
  }
}

/** SQLite chooses it. */
const nextKey = sql<number>`null`;

function summaryOf({ id, title, created_at, updated_at, entries }: Row): ConversationSummary {
  return { id, title, createdAt: created_at, updatedAt: updated_at, entries };
}
