import { accessSync, closeSync, constants, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "../store-error.ts";

/** Makes folder and file where there are none, for this user alone, and refuses what can't become a store. */
export function prepareFile(path: string): void {
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    makeFile(path, folder);
    accessSync(path, constants.R_OK | constants.W_OK);
    // SQLite puts its journal beside the file.
    accessSync(folder, constants.W_OK);
  } catch (fault) {
    throw explain(fault, path);
  }
  refuseFolder(path);
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
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function refuseFolder(path: string): void {
  if (statSync(path).isFile()) return;
  throw new StoreError("unreachable", `The database ${path} is not a file. Name a file, or set SECONDWIND_HOME.`);
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
