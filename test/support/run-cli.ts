import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { inject } from "vitest";

/** The program, built from the sources before the tests. */
export const CLI = join(inject("program"), "cli.cjs");

export interface CliEnd {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface CliStart {
  readonly child: ChildProcessWithoutNullStreams;
  readonly end: Promise<CliEnd>;
  /** Resolves with all of stdout once this is in it. */
  said(text: string): Promise<string>;
}

/** The real program in a process of its own. The environment has nothing that could colour the output. */
export function startCli(args: readonly string[], env: Readonly<Record<string, string>> = {}): CliStart {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { PATH: process.env.PATH ?? "", NO_COLOR: "1", ...env },
  });
  let out = "";
  let err = "";
  const listeners = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
    for (const listen of listeners) listen();
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    err += chunk;
  });
  // A program that ends before it has read everything closes the pipe: not our failure.
  child.stdin.on("error", () => undefined);
  const end = new Promise<CliEnd>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out, err }));
  });
  const said = (text: string): Promise<string> =>
    new Promise((resolve) => {
      const listen = (): void => {
        if (!out.includes(text)) return;
        listeners.delete(listen);
        resolve(out);
      };
      listeners.add(listen);
      listen();
    });
  return { child, end, said };
}

/** Runs it to its end; without an input stdin is closed at once. */
export function runCli(
  args: readonly string[],
  input = "",
  env: Readonly<Record<string, string>> = {},
): Promise<CliEnd> {
  const { child, end } = startCli(args, env);
  child.stdin.end(input);
  return end;
}
