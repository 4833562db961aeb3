import type { Migration } from "../../store/sqlite/migrations.ts";

/** "2ndJ": a store is never mistaken for the jobs, nor the jobs for a store. */
export const JOBS_MARK = 0x326e644a;

/**
 * `due`: when a worker may take the job. For one that runs, that is the end of its lease; so one index finds new jobs, waits that
 * are over and the jobs of dead workers. `rev` grows with every change, so that others can ask for what is new. `bodies` has what
 * may be large, so that lists stay quick.
 */
const first: Migration = {
  name: "jobs",
  sql: `
    CREATE TABLE jobs (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      key TEXT UNIQUE,
      fingerprint TEXT NOT NULL,
      grp TEXT,
      state TEXT NOT NULL CHECK (state IN ('accepted', 'running', 'waiting', 'done', 'failed', 'cancelled')),
      model TEXT NOT NULL,
      policy TEXT NOT NULL,
      created_at REAL NOT NULL,
      updated_at REAL NOT NULL,
      finished_at REAL,
      deadline REAL,
      due REAL NOT NULL,
      epoch INTEGER NOT NULL DEFAULT 0,
      attempts INTEGER NOT NULL DEFAULT 0,
      crashes INTEGER NOT NULL DEFAULT 0,
      is_poison INTEGER NOT NULL DEFAULT 0,
      retry_now INTEGER NOT NULL DEFAULT 0,
      failure TEXT,
      receipt TEXT,
      rev INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX jobs_by_due ON jobs (due) WHERE state IN ('accepted', 'running', 'waiting');
    CREATE INDEX jobs_by_state ON jobs (state, seq);
    CREATE INDEX jobs_by_group ON jobs (grp, seq) WHERE grp IS NOT NULL;
    CREATE INDEX jobs_by_rev ON jobs (rev);
    CREATE INDEX jobs_by_end ON jobs (finished_at) WHERE finished_at IS NOT NULL;

    CREATE TABLE bodies (
      seq INTEGER PRIMARY KEY REFERENCES jobs (seq) ON DELETE CASCADE,
      request TEXT NOT NULL,
      policy TEXT NOT NULL,
      saved TEXT,
      result TEXT
    ) STRICT;

    CREATE TABLE counter (rev INTEGER NOT NULL) STRICT;
    INSERT INTO counter (rev) VALUES (0);
  `,
};

export const JOBS_MIGRATIONS: readonly Migration[] = [first];
