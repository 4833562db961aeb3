import { StoreError, type StoreErrorCode } from "../store-error.ts";

/** SQLite's primary result codes (the low byte of an extended one) that a user can act on. */
const EXPLAINED: Readonly<Record<number, readonly [code: StoreErrorCode, what: string]>> = {
  5: ["locked", "is held by another process. Close the program that has it open, or try again"],
  6: ["locked", "is held by another process. Close the program that has it open, or try again"],
  8: ["read-only", "can't be written. Make the file and its folder writable, or set SECONDWIND_HOME to another folder"],
  10: ["unreachable", "could not be read or written: the disk reports an error. Check the disk, then try again"],
  11: [
    "damaged",
    "is damaged. Nothing was changed. Move it elsewhere and restore a copy, or recover it: see docs/store.md",
  ],
  13: ["full", "could not be written: the disk is full. Nothing was changed. Free some disk space and try again"],
  14: [
    "unreachable",
    "can't be opened. Make the file and its folder writable, or set SECONDWIND_HOME to another folder",
  ],
  26: [
    "damaged",
    "is not a SQLite database. Nothing was changed. Move it elsewhere, or set SECONDWIND_HOME to another folder",
  ],
};
/** An extended code of 10: the file ends before the page. */
const SHORT_READ = 522;
const CORRUPT = 11;

/** Turns a database error into one that names the file, the problem and what to do. Other errors pass unchanged. */
export function explainFault(fault: unknown, path: string): unknown {
  if (fault instanceof StoreError || !(fault instanceof Error)) return fault;
  const code = resultCode(fault);
  if (code === undefined) return fault;
  const explained = EXPLAINED[code === SHORT_READ ? CORRUPT : code & 0xff];
  if (explained === undefined) return fault;
  const [kind, what] = explained;
  return new StoreError(kind, `The database ${path} ${what} (${fault.message}).`, { cause: fault });
}

function resultCode(fault: Error): number | undefined {
  // `errcode` is node:sqlite's, `rawCode` libsql's. An error of opening has it only in its text there.
  if ("errcode" in fault && typeof fault.errcode === "number") return fault.errcode;
  if ("rawCode" in fault && typeof fault.rawCode === "number") return fault.rawCode;
  const [, digits] = /Unable to open connection to local database .*: (\d+)"?\)?$/s.exec(fault.message) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
