import { sql } from "kysely";
import { checkText } from "../check/check-text.ts";
import type { JournalRecord, JournalStore } from "../store.ts";
import type { Connection } from "./connection.ts";
import { query } from "./query.ts";
import type { Schema } from "./schema.ts";
import { SqlitePart } from "./sqlite-part.ts";
import type { WriteQueue } from "./write-queue.ts";

type Row = Schema["attempts"];

export class SqliteJournal extends SqlitePart implements JournalStore {
  readonly #limit: number;

  constructor(connection: Connection, queue: WriteQueue, limit: number) {
    super(connection, queue);
    this.#limit = limit;
  }

  async add(record: JournalRecord): Promise<void> {
    const row = rowOf(record);
    await this.queue.write(() => {
      this.connection.run(query.insertInto("attempts").values({ number: nextNumber, ...row }));
      const oldest = sql<number>`(select max(number) from attempts) - ${this.#limit}`;
      this.connection.run(query.deleteFrom("attempts").where("number", "<=", oldest));
    });
  }

  async list(): Promise<readonly JournalRecord[]> {
    const newestFirst = query.selectFrom("attempts").selectAll().orderBy("number", "desc");
    return (await this.whenUnlocked(() => this.rows(newestFirst))).map(recordOf);
  }
}

/** SQLite takes one more than the largest. The newest record is never deleted, so no number comes twice. */
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
    message: record.message === undefined ? null : checkText("record.message", record.message),
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
