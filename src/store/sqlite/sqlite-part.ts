import type { Compilable } from "kysely";
import type { Connection } from "./connection.ts";
import type { WriteQueue } from "./write-queue.ts";

/** A part of the store: it reads at once, and writes through the queue. */
export abstract class SqlitePart {
  protected readonly connection: Connection;
  protected readonly queue: WriteQueue;

  constructor(connection: Connection, queue: WriteQueue) {
    this.connection = connection;
    this.queue = queue;
  }

  protected rows<Row>(query: Compilable<Row>): readonly Row[] {
    return this.connection.rows(query);
  }

  protected change(change: Compilable): Promise<void> {
    return this.queue.write(() => this.connection.run(change));
  }
}
