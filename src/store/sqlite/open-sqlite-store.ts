import { statSync } from "node:fs";
import { KnownConfig } from "../config/known-config.ts";
import { JOURNAL_LIMIT, type Store, type StoreOptions } from "../store.ts";
import { StoreError } from "../store-error.ts";
import { Connection } from "./connection.ts";
import { explainFault } from "./explain-fault.ts";
import { identify, refuseNewer } from "./identify.ts";
import { type Driver, loadDriver, type NativeDatabase } from "./load-driver.ts";
import { TRY_MS, whenUnlocked } from "./lock-wait.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS, type Migration } from "./migrations.ts";
import { prepareFile } from "./prepare-file.ts";
import { SqliteConversations } from "./sqlite-conversations.ts";
import { SqliteConfigTexts, SqliteCooldowns, SqliteExperience } from "./sqlite-facts.ts";
import { SqliteGenerations } from "./sqlite-generations.ts";
import { SqliteJournal } from "./sqlite-journal.ts";
import { WriteQueue } from "./write-queue.ts";

/** For tests. */
export interface SqliteStoreOptions extends StoreOptions {
  /** How long to wait for another process that writes, without blocking the event loop; default 5000. */
  readonly busyTimeoutMs?: number;
  readonly migrations?: readonly Migration[];
  readonly load?: () => Promise<Driver>;
}

/** A larger file is not checked when it is opened; damage then shows when it is read. 60 MiB take about 60 ms. */
const LARGEST_CHECKED_BYTES = 64 * 1024 * 1024;
const BUSY_TIMEOUT_MS = 5000;

export async function openSqliteStore(path: string, options: SqliteStoreOptions = {}): Promise<Store> {
  const { wallNow = Date.now, migrations = MIGRATIONS, load = loadDriver } = options;
  const open = await load();
  prepareFile(path);
  const { busyTimeoutMs = BUSY_TIMEOUT_MS, journalLimit = JOURNAL_LIMIT } = options;
  const connection = await whenUnlocked(() => openReady(() => open(path, TRY_MS), path, migrations), busyTimeoutMs);
  const queue = new WriteQueue(connection, () => refuseNewer(connection, migrations.length), busyTimeoutMs);
  return {
    isPersistent: true,
    config: new KnownConfig(new SqliteConfigTexts(connection, queue)),
    conversations: new SqliteConversations(connection, queue, wallNow),
    journal: new SqliteJournal(connection, queue, journalLimit),
    generations: new SqliteGenerations(connection, queue, journalLimit),
    cooldowns: new SqliteCooldowns(connection, queue),
    experience: new SqliteExperience(connection, queue),
    close: async () => {
      await queue.close();
      tidyUp(connection);
      connection.close();
    },
  };
}

function openReady(open: () => NativeDatabase, path: string, migrations: readonly Migration[]): Connection {
  const connection = connect(open, path);
  try {
    makeReady(connection, migrations);
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
function makeReady(connection: Connection, migrations: readonly Migration[]): void {
  const version = identify(connection, migrations.length);
  if (version > 0) refuseDamaged(connection);
  if (connection.pragma("journal_mode") !== "wal") connection.pragma("journal_mode = WAL");
  // FULL: a commit is on the disk, not only with the operating system, when it returns.
  connection.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
  migrate(connection, migrations);
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
