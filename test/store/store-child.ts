import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { bundledChild } from "../support/bundled-child.ts";

const CHILD = bundledChild(join(import.meta.dirname, "child-main.ts"));

/** A process that uses a store; what it does is in `child-main.ts`. */
export function startStoreChild(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [CHILD, ...args], { stdio: ["ignore", "pipe", "inherit"] });
}

/** Runs it to its end; answers what it said. */
export async function runStoreChild(args: readonly string[]): Promise<string> {
  const { stdout } = startStoreChild(args);
  return stdout === null ? "" : text(stdout);
}
