import { KnownConfig } from "../config/known-config.ts";
import { JOURNAL_LIMIT, type Store, type StoreOptions } from "../store.ts";
import type { Driver } from "./load-driver.ts";
import { MIGRATIONS, type Migration } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";
import { SqliteConversations } from "./sqlite-conversations.ts";
import { SqliteConfigTexts, SqliteCooldowns, SqliteExperience } from "./sqlite-facts.ts";
import { SqliteGenerations } from "./sqlite-generations.ts";
import { SqliteJournal } from "./sqlite-journal.ts";

/** For tests. */
export interface SqliteStoreOptions extends StoreOptions {
  /** How long to wait for another process that writes, without blocking the event loop; default 5000. */
  readonly busyTimeoutMs?: number;
  readonly migrations?: readonly Migration[];
  readonly load?: () => Promise<Driver>;
}

export async function openSqliteStore(path: string, options: SqliteStoreOptions = {}): Promise<Store> {
  const { wallNow = Date.now, migrations = MIGRATIONS, journalLimit = JOURNAL_LIMIT } = options;
  const { connection, queue, close } = await openDatabase(path, { ...options, migrations });
  return {
    isPersistent: true,
    config: new KnownConfig(new SqliteConfigTexts(connection, queue)),
    conversations: new SqliteConversations(connection, queue, wallNow),
    journal: new SqliteJournal(connection, queue, journalLimit),
    generations: new SqliteGenerations(connection, queue, journalLimit),
    cooldowns: new SqliteCooldowns(connection, queue),
    experience: new SqliteExperience(connection, queue),
    close,
  };
}
