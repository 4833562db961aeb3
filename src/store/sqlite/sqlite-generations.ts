import { sql } from "kysely";
import { encodeGeneration } from "../check/check-generation.ts";
import { parseJson } from "../parse-json.ts";
import type { GenerationStore, StoredGeneration } from "../store.ts";
import type { Connection } from "./connection.ts";
import { query } from "./query.ts";
import { SqlitePart } from "./sqlite-part.ts";
import type { WriteQueue } from "./write-queue.ts";

const { sql: UPSERT } = query
  .insertInto("generations")
  // SQLite takes one more than the largest number. The newest is never deleted, so none comes twice.
  .values({ number: sql<number>`null`, id: "", record: "" })
  .onConflict((conflict) => conflict.column("id").doUpdateSet({ record: (row) => row.ref("excluded.record") }))
  .compile();

export class SqliteGenerations extends SqlitePart implements GenerationStore {
  readonly #limit: number;

  constructor(connection: Connection, queue: WriteQueue, limit: number) {
    super(connection, queue);
    this.#limit = limit;
  }

  async put(generations: readonly StoredGeneration[]): Promise<void> {
    const rows = generations.map(encodeGeneration);
    await this.queue.write(() => {
      for (const { id, record } of rows) this.connection.runCompiled(UPSERT, [id, record]);
      const oldest = sql<number>`(select max(number) from generations) - ${this.#limit}`;
      this.connection.run(query.deleteFrom("generations").where("number", "<=", oldest));
    });
  }

  async list({ limit, before }: Parameters<GenerationStore["list"]>[0]): ReturnType<GenerationStore["list"]> {
    const newestFirst = query.selectFrom("generations").selectAll().orderBy("number", "desc").limit(limit);
    const wanted = before === undefined ? newestFirst : newestFirst.where("number", "<", before);
    const rows = await this.whenUnlocked(() => this.rows(wanted));
    return rows.map(({ record, ...row }) => ({ ...row, record: parseJson(record) }));
  }
}
