/** One step of the schema. Its 1-based place in the list is the version that it leads to. Never changed once released. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/**
 * STRICT, because plain SQLite would store any type in any column. `attempts.number` counts up without gaps, so that the oldest
 * ones can be dropped by number.
 */
const first: Migration = {
  name: "config, conversations, attempts, cooldowns, experience",
  sql: `
    CREATE TABLE config (
      key TEXT PRIMARY KEY NOT NULL,
      value TEXT NOT NULL
    ) STRICT;

    CREATE TABLE conversations (
      key INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      title TEXT NOT NULL,
      created_at REAL NOT NULL,
      updated_at REAL NOT NULL,
      entries INTEGER NOT NULL DEFAULT 0 CHECK (entries >= 0)
    ) STRICT;
    CREATE INDEX conversations_by_update ON conversations (updated_at);

    CREATE TABLE entries (
      conversation INTEGER NOT NULL REFERENCES conversations (key),
      seq INTEGER NOT NULL CHECK (seq > 0),
      at REAL NOT NULL,
      type TEXT NOT NULL,
      data TEXT NOT NULL,
      PRIMARY KEY (conversation, seq)
    ) STRICT;

    CREATE TABLE attempts (
      number INTEGER PRIMARY KEY,
      at REAL NOT NULL,
      generation_id TEXT NOT NULL,
      conversation_id TEXT,
      attempt INTEGER NOT NULL,
      provider TEXT NOT NULL,
      model TEXT NOT NULL,
      credential TEXT NOT NULL,
      ok INTEGER NOT NULL CHECK (ok IN (0, 1)),
      kind TEXT,
      status INTEGER,
      message TEXT,
      duration_ms REAL NOT NULL,
      waited_ms REAL NOT NULL
    ) STRICT;
    CREATE INDEX attempts_by_generation ON attempts (generation_id);

    CREATE TABLE cooldowns (
      key TEXT PRIMARY KEY NOT NULL,
      until REAL NOT NULL
    ) STRICT;

    CREATE TABLE experience (
      provider TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      status TEXT NOT NULL,
      successes INTEGER NOT NULL DEFAULT 0,
      failures INTEGER NOT NULL DEFAULT 0,
      waited_ms REAL NOT NULL DEFAULT 0,
      PRIMARY KEY (provider, endpoint, status)
    ) STRICT;
  `,
};

/** A deadline alone does not show whether the clock was right when it was written. */
const second: Migration = {
  name: "when a cooldown was reported",
  sql: "ALTER TABLE cooldowns ADD COLUMN since REAL;",
};

/** `number` counts up without gaps, as in `attempts`. */
const third: Migration = {
  name: "generations",
  sql: `
    CREATE TABLE generations (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      record TEXT NOT NULL
    ) STRICT;
  `,
};

export const MIGRATIONS: readonly Migration[] = [first, second, third];
