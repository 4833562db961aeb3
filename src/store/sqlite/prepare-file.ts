import { accessSync, closeSync, constants, existsSync, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "../store-error.ts";

/**
 * Creates a missing folder and file for this user only, and throws for what can't become a store. An existing file is never opened:
 * closing it again would drop the locks that a store of this process may have on it.
 */
export function prepareFile(path: string): void {
  const folder = dirname(path);
  try {
    makeFolder(folder);
    makeFile(path, folder);
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (fault) {
    throw explain(fault, path);
  }
  refuseOtherFile(path);
  refuseLostPages(path);
}

/** One folder at a time: with `recursive`, Node never returns where no folder can be made, as below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (fault) {
    // Another process may have made it just now.
    if ((fault as NodeJS.ErrnoException).code !== "EEXIST") throw fault;
  }
}

function makeFile(path: string, folder: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "EEXIST") return;
    throw fault;
  }
  syncFolder(folder);
}

/** A power cut after the first commit must not lose the file's name. Windows has no such call and needs none. */
export function syncFolder(folder: string): void {
  if (process.platform !== "win32") syncPath(folder, "r");
}

export function syncPath(path: string, flags: "r" | "r+"): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The smallest page of a database. */
const SMALLEST_BYTES = 512;

/** SQLite overwrites a file of one byte, and reads garbage from one that was cut short. */
function refuseOtherFile(path: string): void {
  const file = statSync(path);
  if (!file.isFile()) {
    throw new StoreError("unreachable", `The database ${path} is not a file. Name a file, or set SECONDWIND_HOME.`);
  }
  if (file.size === 0 || file.size >= SMALLEST_BYTES) return;
  throw new StoreError(
    "damaged",
    `The database ${path} is not a SQLite database, or was cut short: it has ${file.size} bytes. Nothing was changed. ` +
      "Move it elsewhere, or set SECONDWIND_HOME to another folder.",
  );
}

/** SQLite takes an empty file for a new database and deletes the journal next to it, which may hold all data. */
function refuseLostPages(path: string): void {
  const journal = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (statSync(path).size > 0 || journal === undefined || journal.size === 0) return;
  throw new StoreError(
    "damaged",
    `The database ${path} is damaged: the file is empty, but its journal ${path}-wal is not. Nothing was changed. ` +
      "Restore a copy of both, or move the journal away to start with an empty store.",
  );
}

function explain(fault: unknown, path: string): unknown {
  if (!(fault instanceof Error) || !("code" in fault) || typeof fault.code !== "string") return fault;
  const isReadOnly = ["EACCES", "EPERM", "EROFS"].includes(fault.code);
  const message =
    `The database ${path} can't be ${isReadOnly ? "written" : "created or opened"} (${fault.message}). ` +
    "Make the file and its folder writable, or set SECONDWIND_HOME to another folder.";
  return new StoreError(isReadOnly ? "read-only" : "unreachable", message, { cause: fault });
}
