import type { Compilable } from "kysely";
import { closedStore } from "../store-error.ts";
import { explainFault } from "./explain-fault.ts";
import type { Bindable, NativeDatabase, NativeStatement } from "./load-driver.ts";

/** One open database. Everything is synchronous: a statement has run when the call returns. */
export class Connection {
  readonly path: string;
  readonly #database: NativeDatabase;
  /** By their SQL: a few dozen texts. */
  readonly #statements = new Map<string, NativeStatement>();
  #isOpen = true;
  #isInTransaction = false;

  constructor(database: NativeDatabase, path: string) {
    this.#database = database;
    this.path = path;
  }

  rows<Row>(query: Compilable<Row>): readonly Row[] {
    const { sql, parameters } = query.compile();
    return this.rowsCompiled(sql, parameters);
  }

  rowsCompiled<Row>(sql: string, parameters: readonly unknown[]): readonly Row[] {
    return this.#guard(() => this.#prepare(sql).all(...parameters.map(bindable))) as Row[];
  }

  run(query: Compilable): void {
    const { sql, parameters } = query.compile();
    this.runCompiled(sql, parameters);
  }

  /** The same for a statement that was compiled once: for many rows that costs more than to run it. */
  runCompiled(sql: string, parameters: readonly unknown[]): void {
    this.#guard(() => this.#prepare(sql).run(...parameters.map(bindable)));
  }

  /** One value of the database's own settings. */
  pragma(text: string): unknown {
    const [row] = this.#guard(() => this.#database.prepare(`PRAGMA ${text}`).all()) as Record<string, unknown>[];
    return row === undefined ? undefined : Object.values(row)[0];
  }

  exec(sql: string): void {
    this.#guard(() => this.#database.exec(sql));
  }

  /** All or nothing. Takes the write lock at once: a transaction that has read first could not wait for it. */
  transaction<T>(work: () => T): T {
    this.exec("BEGIN IMMEDIATE");
    this.#isInTransaction = true;
    try {
      const result = work();
      this.exec("COMMIT");
      return result;
    } catch (fault) {
      this.#rollBack("ROLLBACK");
      throw fault;
    } finally {
      this.#isInTransaction = false;
    }
  }

  /** If it fails, only this part of the transaction is undone. */
  part<T>(work: () => T): T {
    this.exec("SAVEPOINT part");
    try {
      const result = work();
      this.exec("RELEASE part");
      return result;
    } catch (fault) {
      this.#rollBack("ROLLBACK TO part; RELEASE part");
      throw fault;
    }
  }

  /** After a full disk or an I/O error SQLite has already rolled everything back: then this fails, and nothing is left to undo. */
  #rollBack(sql: string): void {
    try {
      this.#database.exec(sql);
    } catch {
      this.#isInTransaction = false;
    }
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** False inside `transaction` once SQLite has given the whole of it up. */
  get isInTransaction(): boolean {
    return this.#isInTransaction;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // libsql keeps the file open as long as a statement is referenced.
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): NativeStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #guard<T>(work: () => T): T {
    if (!this.#isOpen) throw closedStore();
    try {
      return work();
    } catch (fault) {
      throw explainFault(fault, this.path);
    }
  }
}

/**
 * libsql ends the whole process on a boolean, stores NaN as NULL and reads a text only up to its first NUL. Such a value is a bug of
 * ours and must not reach the driver.
 */
function bindable(value: unknown): Bindable {
  if (value === null) return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value === "string" && !value.includes("\0")) return value;
  throw new TypeError(`Can't store this ${typeof value}`);
}
