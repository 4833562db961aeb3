import { readFileSync } from "node:fs";
import type { SessionEntry } from "../../../wire/index.ts";

/** The process that runs a turn. */
export interface TurnOwner {
  readonly pid: number;
  /** When it started, in epoch ms: pids are given out again. */
  readonly since: number;
}

export const THIS_PROCESS: TurnOwner = { pid: process.pid, since: Math.round(performance.timeOrigin) };

/** Who runs the last turn of a conversation, if its end is not stored. */
export function openOwner(entries: readonly SessionEntry[]): TurnOwner | undefined {
  const last = entries.findLast(({ type }) => type === "turn" || type === "turn_end");
  return last?.type === "turn" ? last.data.by : undefined;
}

/** Several servers may use one store. A turn that another one is running is not interrupted, and must not be run twice. */
export function isRunElsewhere(owner: TurnOwner | undefined): owner is TurnOwner {
  // A turn of this process is known to it. One of an earlier process with the same pid is over.
  if (owner === undefined || owner.pid === process.pid) return false;
  return isAlive(owner.pid) && !isAnother(owner);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    // A process of another user.
    return fault instanceof Error && "code" in fault && fault.code === "EPERM";
  }
}

/** The clock may have been set since. */
const TOLERANCE_MS = 60_000;

/** Whether the pid is no longer that process: it is another one, or a dead one that nobody has waited for. Only Linux says so. */
function isAnother({ pid, since }: TurnOwner): boolean {
  try {
    const bootSeconds = Number(/^btime (\d+)$/m.exec(readFileSync("/proc/stat", "utf8"))?.[1]);
    // The name, in parentheses, may contain anything. After it come the state and, as the 20th field, the start.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    const startedAt = bootSeconds * 1000 + Number(fields[19]) * MS_PER_TICK;
    return fields[0] === "Z" || Math.abs(startedAt - since) > TOLERANCE_MS;
  } catch {
    return false;
  }
}

const MS_PER_TICK = 10;
