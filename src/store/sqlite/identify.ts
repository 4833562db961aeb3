import { StoreError } from "../store-error.ts";
import type { Connection } from "./connection.ts";

/** "2ndW": marks a file as ours, so that another program's database is never mistaken for one. */
export const APPLICATION_ID = 0x326e6457;

/** The version of the schema; 0: a new file. Throws for another program's database and for a newer version. */
export function identify(connection: Connection, newest: number, mark = APPLICATION_ID): number {
  // Another process may create the store between these reads. It writes all three at once, and the mark is read last: a file that
  // has tables by then has the mark of the program that created them.
  const schema = Number(connection.pragma("schema_version"));
  const version = Number(connection.pragma("user_version"));
  const application = Number(connection.pragma("application_id"));
  if (schema === 0 && version === 0 && application === 0) return 0;
  if (application !== mark) {
    const words = "belongs to another program. It was not changed. Set SECONDWIND_HOME to another folder.";
    throw new StoreError("foreign", `The database ${connection.path} ${words}`);
  }
  refuseNewer(connection, newest);
  return version;
}

export function refuseNewer(connection: Connection, newest: number): void {
  const version = Number(connection.pragma("user_version"));
  if (version <= newest) return;
  throw new StoreError(
    "newer",
    `The database ${connection.path} has version ${version}; this program supports up to ${newest}. It was not changed. ` +
      "Update Secondwind, or set SECONDWIND_HOME to another folder.",
  );
}
