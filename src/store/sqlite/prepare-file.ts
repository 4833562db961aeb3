import { accessSync, closeSync, constants, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "../store-error.ts";

/**
 * Makes folder and file where there are none, for this user alone, and refuses what can't become a store. A file that is there is
 * only looked at, never opened: closing it again would drop the locks that a store of this process may have on it.
 */
export function prepareFile(path: string): void {
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    makeFile(path, folder);
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (fault) {
    throw explain(fault, path);
  }
  refuseOtherFile(path);
  refuseLostPages(path);
}

function makeFile(path: string, folder: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (fault) {
    if (codeOf(fault) === "EEXIST") return;
    throw fault;
  }
  syncFolder(folder);
}

/** A power cut after the first commit must not lose the file's name. Windows has no such call, and needs none. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  withDescriptor(descriptor, () => fsyncSync(descriptor));
}

/** The smallest page that a database can have. */
const SMALLEST_BYTES = 512;

/** SQLite takes a file of one byte for an empty one and writes over it; and of one that was cut short it reads nonsense. */
function refuseOtherFile(path: string): void {
  const file = statSync(path);
  if (!file.isFile()) {
    throw new StoreError("unreachable", `The database ${path} is not a file. Name a file, or set SECONDWIND_HOME.`);
  }
  if (file.size === 0 || file.size >= SMALLEST_BYTES) return;
  throw new StoreError(
    "damaged",
    `The database ${path} is no SQLite database, or was cut short: it has ${file.size} bytes. Nothing was changed. ` +
      "Move it away, or set SECONDWIND_HOME to another folder.",
  );
}

export function withDescriptor<T>(descriptor: number, work: () => T): T {
  try {
    return work();
  } finally {
    closeSync(descriptor);
  }
}

/** SQLite takes an empty file for a new database and deletes the journal beside it, which may hold all that is left. */
function refuseLostPages(path: string): void {
  const journal = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (statSync(path).size > 0 || journal === undefined || journal.size === 0) return;
  throw new StoreError(
    "damaged",
    `The database ${path} is damaged: the file is empty, but its journal ${path}-wal is not. Nothing was changed. ` +
      "Restore a copy of both; or move the journal away to begin anew.",
  );
}

function explain(fault: unknown, path: string): unknown {
  switch (codeOf(fault)) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return failed("read-only", path, fault);
    case undefined:
      return fault;
    default:
      return failed("unreachable", path, fault);
  }
}

function failed(code: "read-only" | "unreachable", path: string, cause: unknown): StoreError {
  const what = code === "read-only" ? "can't be written" : "can't be made or opened";
  const message = `The database ${path} ${what} (${cause instanceof Error ? cause.message : cause}). Make the file and its folder writable, or set SECONDWIND_HOME to another folder.`;
  return new StoreError(code, message, { cause });
}

function codeOf(fault: unknown): string | undefined {
  if (!(fault instanceof Error) || !("code" in fault)) return undefined;
  return typeof fault.code === "string" ? fault.code : undefined;
}
