import { closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Connection } from "./connection.ts";
import { syncFolder, syncPath } from "./prepare-file.ts";

/** A copy next to the database, `….v1.bak`, whole or not at all. An existing copy is from an earlier attempt and stays. */
export function backUp(connection: Connection, version: number): void {
  const target = `${connection.path}.v${version}.bak`;
  if (existsSync(target)) return;
  const unfinished = `${target}-${process.pid}`;
  try {
    // Created by us, so that only this user can read it; SQLite fills an empty file.
    closeSync(openSync(unfinished, "w", 0o600));
    connection.exec(`VACUUM INTO '${unfinished.replaceAll("'", "''")}'`);
    syncPath(unfinished, "r+");
    renameSync(unfinished, target);
    syncFolder(dirname(target));
  } finally {
    rmSync(unfinished, { force: true });
  }
}
