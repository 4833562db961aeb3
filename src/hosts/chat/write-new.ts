import { writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** Never writes over a file. Answers its full path, or rejects with a sentence; `code` is the system's. */
export async function writeNew(path: string, text: string): Promise<string> {
  // A shell does this for what is typed there; here nobody does.
  const full = /^~(?=\/|$)/.test(path) ? join(homedir(), path.slice(1)) : resolve(path);
  try {
    await writeFile(full, text, { flag: "wx" });
    return full;
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException;
    throw Object.assign(new Error(sayFault(code, full, fault)), { code });
  }
}

function sayFault(code: string | undefined, full: string, fault: unknown): string {
  switch (code) {
    case "EEXIST":
      return `${full} is there already and is not written over; give another name`;
    case "ENOENT":
      return `There is no folder ${dirname(full)}`;
    case "ENOTDIR":
      return `${dirname(full)} is not a folder`;
    case "EISDIR":
      return `${full} is a folder; give the name of a file`;
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `${full} may not be written`;
    default:
      return `${full} could not be written: ${fault instanceof Error ? fault.message : String(fault)}`;
  }
}
