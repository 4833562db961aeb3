import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { InvalidInput } from "../../../kernel/index.ts";

/** Who works on an output. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process started, as the system counts; a later process may have the same id. Empty: not known. */
  readonly started: string;
}

/**
 * Makes sure that no other run writes to this output. A lock whose process is gone, as after `kill -9`, is taken over. Returns a
 * function that gives it back. Throws `InvalidInput` if another run has it.
 */
export function lockOutput(output: string): () => void {
  const path = `${output}.lock`;
  const own: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid) };
  const text = JSON.stringify(own);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  try {
    // A link appears at once with its whole content, and only if there is none.
    while (!isLinked(draft, path)) removeStale(path, output);
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readHolder(path)?.text === text) rmSync(path, { force: true });
  };
}

function isLinked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (fault) {
    const { code = "" } = fault as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (!NO_LINKS.has(code)) throw fault;
  }
  return isWritten(path, readFileSync(draft, "utf8"));
}

/** Of file systems that have no links. */
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

function isWritten(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw fault;
  }
}

/** Throws `InvalidInput` if its process is alive, or can't be asked for. */
function removeStale(path: string, output: string): void {
  const found = readHolder(path);
  // It went away meanwhile.
  if (found === undefined) return;
  const { holder, text } = found;
  if (holder === undefined || isAlive(holder)) throw inUse(output, path, holder);
  // Moved away first: if another run was faster, what is moved is its lock, and it gets it back.
  const aside = `${path}.${process.pid}.old`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (readHolder(aside)?.text !== text) isLinked(aside, path);
  rmSync(aside, { force: true });
}

function readHolder(path: string): { readonly holder: Holder | undefined; readonly text: string } | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  try {
    const { pid, host, started } = JSON.parse(text);
    const isWhole = Number.isSafeInteger(pid) && pid > 0 && typeof host === "string" && typeof started === "string";
    return { text, holder: isWhole ? { pid, host, started } : undefined };
  } catch {
    return { text, holder: undefined };
  }
}

function isAlive({ pid, host, started }: Holder): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const now = startOf(pid);
  return now === "" || started === "" || now === started;
}

const START_FIELD = 19;

/** Linux says when a process started; elsewhere its id has to do. A zombie has ended. */
function startOf(pid: number): string {
  try {
    // Its name stands in brackets, and may contain anything.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? "ended" : (fields[START_FIELD] ?? "");
  } catch {
    return "";
  }
}

function inUse(output: string, path: string, holder: Holder | undefined): InvalidInput {
  const who = holder === undefined ? "" : ` (process ${holder.pid} on ${holder.host})`;
  const text = `${output} is in use by another secondwind batch${who}. If that is wrong, remove ${path}.`;
  return new InvalidInput("--output", output, "not in use", text);
}
