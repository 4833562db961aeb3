import { sql } from "kysely";
import { checkLimit } from "../check/check-conversation.ts";
import { checkRecord } from "../check/check-facts.ts";
import type { JournalRecord, JournalStore } from "../store.ts";
import type { Connection } from "./connection.ts";
import { query } from "./query.ts";
import type { Schema } from "./schema.ts";
import type { WriteQueue } from "./write-queue.ts";

type Row = Schema["attempts"];

export class SqliteJournal implements JournalStore {
  readonly #connection: Connection;
  readonly #queue: WriteQueue;
  readonly #limit: number;

  constructor(connection: Connection, queue: WriteQueue, limit: number) {
    this.#connection = connection;
    this.#queue = queue;
    this.#limit = limit;
  }

  async add(record: JournalRecord): Promise<void> {
    const row = rowOf(checkRecord(record));
    await this.#queue.write(() => {
      this.#connection.run(query.insertInto("attempts").values({ number: nextNumber, ...row }));
      const oldest = sql<number>`(select max(number) from attempts) - ${this.#limit}`;
      this.#connection.run(query.deleteFrom("attempts").where("number", "<=", oldest));
    });
  }

  async list(
    options: { readonly generationId?: string; readonly limit?: number } = {},
  ): Promise<readonly JournalRecord[]> {
    const limit = checkLimit(options.limit);
    let wanted = query.selectFrom("attempts").selectAll().orderBy("number", "desc");
    if (options.generationId !== undefined) wanted = wanted.where("generation_id", "=", options.generationId);
    if (limit !== undefined) wanted = wanted.limit(limit);
    return this.#connection.rows(wanted).map(recordOf);
  }
}

/** One more than the largest: the newest one is never dropped, so no number comes twice. */
const nextNumber = sql<number>`null`;

function rowOf(record: JournalRecord): Omit<Row, "number"> {
  return {
    at: record.at,
    generation_id: record.generationId,
    conversation_id: record.conversationId ?? null,
    attempt: record.attempt,
    provider: record.provider,
    model: record.model,
    credential: record.credential,
    ok: record.ok ? 1 : 0,
    kind: record.kind ?? null,
    status: record.status ?? null,
    message: record.message ?? null,
    duration_ms: record.durationMs,
    waited_ms: record.waitedMs,
  };
}

function recordOf(row: Row): JournalRecord {
  const { conversation_id: conversationId, kind, status, message } = row;
  return {
    at: row.at,
    generationId: row.generation_id,
    ...(conversationId !== null && { conversationId }),
    attempt: row.attempt,
    provider: row.provider,
    model: row.model,
    credential: row.credential,
    ok: row.ok === 1,
    ...(kind !== null && { kind }),
    ...(status !== null && { status }),
    ...(message !== null && { message }),
    durationMs: row.duration_ms,
    waitedMs: row.waited_ms,
  };
}
