import { statSync } from "node:fs";
import { StoreError } from "../store-error.ts";
import { Connection } from "./connection.ts";
import { explainFault } from "./explain-fault.ts";
import { APPLICATION_ID, identify, refuseNewer } from "./identify.ts";
import { type Driver, loadDriver, type NativeDatabase } from "./load-driver.ts";
import { TRY_MS, whenUnlocked } from "./lock-wait.ts";
import { migrate } from "./migrate.ts";
import type { Migration } from "./migrations.ts";
import { prepareFile } from "./prepare-file.ts";
import { WriteQueue } from "./write-queue.ts";

export interface DatabaseOptions {
  readonly migrations: readonly Migration[];
  /** Which of our databases it is, so that none is mistaken for another. Default: the store. */
  readonly mark?: number;
  /** How long to wait for another process that writes, without blocking the event loop; default 5000. */
  readonly busyTimeoutMs?: number;
  readonly load?: () => Promise<Driver>;
}

export interface Database {
  readonly connection: Connection;
  readonly queue: WriteQueue;
  /** Commits what waits, and leaves one file that a plain copy takes whole. */
  close(): Promise<void>;
}

/** A larger file is not checked when it is opened; damage then shows when it is read. 60 MiB take about 60 ms. */
const LARGEST_CHECKED_BYTES = 64 * 1024 * 1024;
const BUSY_TIMEOUT_MS = 5000;

/** Opens a database of ours, creates or updates it, and makes its commits safe against a power cut. */
export async function openDatabase(path: string, options: DatabaseOptions): Promise<Database> {
  const { migrations, mark = APPLICATION_ID, load = loadDriver, busyTimeoutMs = BUSY_TIMEOUT_MS } = options;
  const open = await load();
  prepareFile(path);
  const openOnce = (): Connection => openReady(() => open(path, TRY_MS), path, migrations, mark);
  const connection = await whenUnlocked(openOnce, busyTimeoutMs);
  const queue = new WriteQueue(connection, () => refuseNewer(connection, migrations.length), busyTimeoutMs);
  const close = async (): Promise<void> => {
    await queue.close();
    tidyUp(connection);
    connection.close();
  };
  return { connection, queue, close };
}

function openReady(
  open: () => NativeDatabase,
  path: string,
  migrations: readonly Migration[],
  mark: number,
): Connection {
  const connection = connect(open, path);
  try {
    makeReady(connection, migrations, mark);
    return connection;
  } catch (fault) {
    connection.close();
    throw fault;
  }
}

function connect(open: () => NativeDatabase, path: string): Connection {
  try {
    return new Connection(open(), path);
  } catch (fault) {
    throw explainFault(fault, path);
  }
}

/** Checks before it writes: a newer, foreign or damaged file stays exactly as it was. */
function makeReady(connection: Connection, migrations: readonly Migration[], mark: number): void {
  const version = identify(connection, migrations.length, mark);
  if (version > 0) refuseDamaged(connection);
  if (connection.pragma("journal_mode") !== "wal") connection.pragma("journal_mode = WAL");
  // FULL: a commit is on the disk, not only with the operating system, when it returns.
  connection.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
  migrate(connection, migrations, mark);
}

function refuseDamaged(connection: Connection): void {
  if (statSync(connection.path).size > LARGEST_CHECKED_BYTES) return;
  const verdict = connection.pragma("quick_check(1)");
  if (verdict === "ok") return;
  throw new StoreError(
    "damaged",
    `The database ${connection.path} is damaged (${String(verdict).replace(/\s+/g, " ")}). Nothing was changed. ` +
      "Move it elsewhere and restore a copy, or recover it: see docs/store.md.",
  );
}

/** Moves everything into the one file, so that a plain copy is complete. Skipped while another process uses it. */
function tidyUp(connection: Connection): void {
  if (!connection.isOpen) return;
  connection.pragma("busy_timeout = 0");
  connection.pragma("wal_checkpoint(TRUNCATE)");
}
