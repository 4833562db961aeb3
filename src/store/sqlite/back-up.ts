import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { sql } from "kysely";
import type { Connection } from "./connection.ts";
import { syncFolder, withDescriptor } from "./prepare-file.ts";
import { query } from "./query.ts";

/** A copy beside the database, `….v1.bak`, whole or not at all. One that is there already is from before an earlier try. */
export function backUp(connection: Connection, version: number): void {
  const target = `${connection.path}.v${version}.bak`;
  if (existsSync(target)) return;
  const unfinished = `${target}-${process.pid}`;
  try {
    // Made by us, so that only this user may read it; SQLite fills an empty file.
    closeSync(openSync(unfinished, "w", 0o600));
    connection.run(raw`VACUUM INTO ${unfinished}`);
    sync(unfinished);
    renameSync(unfinished, target);
    syncFolder(dirname(target));
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function raw(text: TemplateStringsArray, path: string): { compile(): ReturnType<ReturnType<typeof sql>["compile"]> } {
  return { compile: () => sql(text, path).compile(query) };
}

function sync(path: string): void {
  const descriptor = openSync(path, "r+");
  withDescriptor(descriptor, () => fsyncSync(descriptor));
}
