import { StoreError } from "../store-error.ts";
import { backUp } from "./back-up.ts";
import type { Connection } from "./connection.ts";
import { APPLICATION_ID, identify } from "./identify.ts";
import type { Migration } from "./migrations.ts";

/** Updates an older database to the newest version: a backup first, then all steps in one transaction. */
export function migrate(connection: Connection, migrations: readonly Migration[], mark = APPLICATION_ID): void {
  const newest = migrations.length;
  const found = identify(connection, newest, mark);
  if (found === newest) return;
  if (found > 0) backUp(connection, found);
  connection.transaction(() => {
    // Another process may have been faster while we waited for the lock.
    const version = identify(connection, newest, mark);
    for (const { name, sql } of migrations.slice(version)) apply(connection, name, sql);
    connection.exec(`PRAGMA application_id = ${mark}; PRAGMA user_version = ${newest}`);
  });
}

function apply(connection: Connection, name: string, sql: string): void {
  try {
    connection.exec(sql);
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    const message = `The database ${connection.path} could not be updated (${name}): ${cause}. It was not changed.`;
    throw new StoreError("damaged", message, { cause });
  }
}
