import { writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** Messages for the errors that a mistyped path causes, by system error code. */
const MESSAGES: Readonly<Record<string, (path: string) => string>> = {
  EEXIST: (path) => `${path} already exists`,
  ENOENT: (path) => `Folder not found: ${dirname(path)}`,
  ENOTDIR: (path) => `Not a folder: ${dirname(path)}`,
  EISDIR: (path) => `${path} is a folder; give a file name`,
  EACCES: (path) => `Permission denied: ${path}`,
};

/** Never overwrites a file. Returns its full path; rejects with a readable message and the system's `code`. */
export async function writeNew(path: string, text: string): Promise<string> {
  // No shell expands what is typed here.
  const full = /^~(?=\/|$)/.test(path) ? join(homedir(), path.slice(1)) : resolve(path);
  try {
    await writeFile(full, text, { flag: "wx" });
    return full;
  } catch (fault) {
    const { code = "", message } = fault as NodeJS.ErrnoException;
    throw Object.assign(new Error(MESSAGES[code]?.(full) ?? `Can't write ${full}: ${message}`), { code });
  }
}
