import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, inject } from "vitest";
// Declares what it provides.
import type {} from "../../../support/build-program.ts";

export interface StartOptions {
  /** More arguments of `secondwind serve`, such as `--weather storm`. */
  readonly args?: readonly string[];
  /** The home folder of an earlier server: its store. Default: an empty one. */
  readonly home?: string;
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export interface StartedServer {
  readonly url: string;
  readonly port: number;
  readonly home: string;
  readonly output: () => string;
  /** Resolves when the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const started: { readonly child: ChildProcess; readonly home: string }[] = [];

/** Starts the built program as `secondwind serve`. It and its files are gone after the tests of the file. */
export async function startServer({ args = [], home, port = 0, env }: StartOptions = {}): Promise<StartedServer> {
  const folder = home ?? (await mkdtemp(join(tmpdir(), "secondwind-web-")));
  const child = spawn(
    process.execPath,
    [join(inject("program"), "cli.cjs"), "serve", "--no-open", "--port", String(port), ...args],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env.PATH ?? "", HOME: folder, NO_COLOR: "1", ...env },
    },
  );
  started.push({ child, home: folder });
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: unknown): void => {
      output += String(chunk);
      const found = /running at (http:\/\/\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`secondwind serve ended with code ${code}: ${output}`)));
  });
  return {
    url,
    port: Number(new URL(url).port),
    home: folder,
    output: () => output,
    stop: async (signal = "SIGTERM") => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await once(child, "exit");
    },
  };
}

/** Call once in a test file that starts servers. */
export function useServers(): void {
  afterAll(async () => {
    for (const { child, home } of started.splice(0)) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
      await rm(home, { recursive: true, force: true });
    }
  });
}
