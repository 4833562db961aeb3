import { closedStore } from "../store-error.ts";
import type { Connection } from "./connection.ts";

interface Write {
  /** Runs inside the transaction. */
  work(): void;
  /** Called once the transaction is on the disk. */
  done(): void;
  failed(fault: unknown): void;
}

/** The most writes in one commit, so that the event loop is not blocked for long. */
const LARGEST_BATCH = 256;

/**
 * Writes of the same turn of the event loop share one transaction, and so one wait for the disk. Each is still all or nothing,
 * and each promise resolves only after the commit.
 */
export class WriteQueue {
  readonly #connection: Connection;
  /** Runs inside every transaction: a newer program may have changed the schema meanwhile. */
  readonly #checkVersion: () => void;
  readonly #waiting: Write[] = [];
  #isScheduled = false;
  #isClosed = false;

  constructor(connection: Connection, checkVersion: () => void) {
    this.#connection = connection;
    this.#checkVersion = checkVersion;
  }

  write<T>(work: () => T): Promise<T> {
    if (this.#isClosed) return Promise.reject(closedStore());
    return new Promise<T>((resolve, reject) => {
      let result: T;
      const keepResult = (): void => {
        result = work();
      };
      this.#waiting.push({ work: keepResult, done: () => resolve(result), failed: reject });
      this.#schedule();
    });
  }

  /** Accepts no more writes, and commits the waiting ones. */
  close(): void {
    this.#isClosed = true;
    while (this.#waiting.length > 0) this.#commitBatch();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#commitBatch();
      this.#schedule();
    });
  }

  #commitBatch(): void {
    const batch = this.#waiting.splice(0, LARGEST_BATCH);
    if (batch.length === 0) return;
    const written: Write[] = [];
    try {
      this.#connection.transaction(() => {
        this.#checkVersion();
        for (const write of batch) if (this.#apply(write)) written.push(write);
      });
      for (const write of written) write.done();
    } catch (fault) {
      // Writes that failed on their own are already rejected; rejecting again changes nothing.
      for (const write of batch) write.failed(fault);
    }
  }

  #apply(write: Write): boolean {
    try {
      this.#connection.part(write.work);
      return true;
    } catch (fault) {
      write.failed(fault);
      // SQLite has rolled the whole transaction back.
      if (!this.#connection.isInTransaction) throw fault;
      return false;
    }
  }
}
