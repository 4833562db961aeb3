import { StoreError } from "../store-error.ts";

export type Bindable = string | number | null;

/** What the store uses of a SQLite database. `node:sqlite` and libsql both have it. */
export interface NativeDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): NativeStatement;
  close(): void;
}

export interface NativeStatement {
  all(...values: Bindable[]): unknown[];
  run(...values: Bindable[]): unknown;
}

/** Opens a file. `busyTimeoutMs`: how long a statement waits for another process that writes. */
export type Driver = (path: string, busyTimeoutMs: number) => NativeDatabase;

/** Node's own SQLite if this Node has one, else libsql if it is installed (decision 0016). Loaded only when a store is opened. */
export async function loadDriver(
  findNode: () => Driver | undefined = nodeDriver,
  findLibsql: () => Promise<Driver> = libsqlDriver,
): Promise<Driver> {
  try {
    return findNode() ?? (await findLibsql());
  } catch (cause) {
    throw unavailable(cause);
  }
}

/** Undefined before Node 22.13. */
export function nodeDriver(): Driver | undefined {
  const sqlite = withoutSqliteWarning(() => process.getBuiltinModule("node:sqlite") as NodeSqlite | undefined);
  if (sqlite === undefined) return undefined;
  return (path, busyTimeoutMs) => {
    const database = new sqlite.DatabaseSync(path);
    // Not the option `timeout`, which Node has only since 22.16.
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    return database;
  };
}

export async function libsqlDriver(): Promise<Driver> {
  const { default: Database } = await import("libsql");
  return (path, busyTimeoutMs) => new Database(path, { timeout: busyTimeoutMs });
}

/** Part of `node:sqlite`, which the types of our oldest Node do not have. */
interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => NativeDatabase;
}

/** Loading `node:sqlite` prints an ExperimentalWarning on the user's terminal. The load is synchronous: no other warning is lost. */
function withoutSqliteWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function unavailable(cause: unknown): StoreError {
  const isMissing = cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND";
  const [reason] = String(cause).split("\n");
  const message =
    `Node ${process.versions.node} has no SQLite${isMissing ? "" : `, and libsql could not be loaded (${reason})`}. ` +
    "Use Node 22.13 or newer, or run `npm install libsql` (with npx: `npx -p secondwind -p libsql secondwind …`).";
  return new StoreError("unavailable", message, { cause });
}
