import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach } from "vitest";
import { bundledChild } from "../support/bundled-child.ts";

export interface WorkerSettings {
  readonly place: string;
  readonly leaseMs?: number;
  readonly poisonAfter?: number;
  readonly folder?: string;
}

/** Starts worker processes; those that are left are killed after each test. */
export function workerStarter(): (settings: WorkerSettings) => Promise<ChildProcess> {
  const file = bundledChild("test/jobs/worker-child.ts");
  const children = new Set<ChildProcess>();
  afterEach(() => {
    for (const child of children) child.kill("SIGKILL");
    children.clear();
  });
  return async (settings) => {
    const child = spawn(process.execPath, [file, JSON.stringify(settings)], { stdio: ["ignore", "pipe", "inherit"] });
    children.add(child);
    child.once("exit", () => children.delete(child));
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    return child;
  };
}

export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}
