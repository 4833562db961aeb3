import type { Compilable } from "kysely";
import type { Connection } from "./connection.ts";
import type { WriteQueue } from "./write-queue.ts";

/** A part of the store that keeps its facts in a table: it reads at once, and changes through the queue. */
export abstract class SqlitePart {
  readonly #connection: Connection;
  readonly #queue: WriteQueue;

  constructor(connection: Connection, queue: WriteQueue) {
    this.#connection = connection;
    this.#queue = queue;
  }

  protected rows<Row>(query: Compilable<Row>): readonly Row[] {
    return this.#connection.rows(query);
  }

  protected run(change: Compilable): Promise<void> {
    return this.change(() => change);
  }

  /** For a change that depends on what is there: the rows are those that it will meet, whoever else writes. */
  protected change(make: () => Compilable): Promise<void> {
    return this.#queue.write(() => this.#connection.run(make()));
  }
}
