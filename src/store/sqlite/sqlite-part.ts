import type { Compilable } from "kysely";
import type { Connection } from "./connection.ts";
import { whenUnlocked } from "./lock-wait.ts";
import type { WriteQueue } from "./write-queue.ts";

/** A part of the store: it reads directly, and writes through the queue. */
export abstract class SqlitePart {
  protected readonly connection: Connection;
  protected readonly queue: WriteQueue;

  constructor(connection: Connection, queue: WriteQueue) {
    this.connection = connection;
    this.queue = queue;
  }

  /** At once, for use inside a write. */
  protected rows<Row>(query: Compilable<Row>): readonly Row[] {
    return this.connection.rows(query);
  }

  /** Readers and one writer do not block each other. Only a file that another process repairs or holds alone is waited for. */
  protected whenUnlocked<T>(work: () => T): Promise<T> {
    return whenUnlocked(work, this.queue.busyTimeoutMs);
  }

  protected change(change: Compilable): Promise<void> {
    return this.queue.write(() => this.connection.run(change));
  }
}
