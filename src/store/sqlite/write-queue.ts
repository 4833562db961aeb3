import { closedStore } from "../store-error.ts";
import type { Connection } from "./connection.ts";
import { isLocked, LockWait, pause } from "./lock-wait.ts";

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
 * and each promise resolves only after the commit. While another process has the write lock, all of them wait, in order, and the
 * event loop goes on.
 */
export class WriteQueue {
  readonly #connection: Connection;
  /** Runs inside every transaction: a newer program may have changed the schema meanwhile. */
  readonly #checkVersion: () => void;
  readonly #waiting: Write[] = [];
  readonly #lock: LockWait;
  readonly busyTimeoutMs: number;
  /** Before the next try, if the last one has found the file locked. */
  #pauseMs: number | undefined;
  #isScheduled = false;
  #isClosed = false;

  constructor(connection: Connection, checkVersion: () => void, busyTimeoutMs: number) {
    this.#connection = connection;
    this.#checkVersion = checkVersion;
    this.busyTimeoutMs = busyTimeoutMs;
    this.#lock = new LockWait(busyTimeoutMs);
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
  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#waiting.length > 0) {
      this.#commitBatch();
      if (this.#pauseMs !== undefined) await pause(this.#pauseMs);
    }
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    const commit = (): void => {
      this.#isScheduled = false;
      this.#commitBatch();
      this.#schedule();
    };
    if (this.#pauseMs === undefined) setImmediate(commit);
    else setTimeout(commit, this.#pauseMs);
  }

  #commitBatch(): void {
    const batch = this.#waiting.splice(0, LARGEST_BATCH);
    if (batch.length === 0) return;
    const written: Write[] = [];
    let hasLock = false;
    this.#pauseMs = undefined;
    try {
      this.#connection.transaction(() => {
        hasLock = true;
        this.#lock.free();
        this.#checkVersion();
        for (const write of batch) if (this.#apply(write)) written.push(write);
      });
      for (const write of written) write.done();
    } catch (fault) {
      // Nothing of the batch has run yet, so all of it can be tried again.
      if (!hasLock && isLocked(fault)) this.#pauseMs = this.#lock.next();
      if (this.#pauseMs !== undefined) return void this.#waiting.unshift(...batch);
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
