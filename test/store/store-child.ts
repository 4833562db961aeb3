import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";

let folder: string;

/** Bundled once: started through a compiler, a hundred processes would take a minute. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "secondwind-child-"));
  const libsql = pathToFileURL(createRequire(import.meta.url).resolve("libsql")).href;
  await build({
    entryPoints: [join(import.meta.dirname, "child-main.ts")],
    outfile: join(folder, "child.mjs"),
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    plugins: [
      {
        name: "libsql where it is",
        setup: (setup) => setup.onResolve({ filter: /^libsql$/ }, () => ({ path: libsql, external: true })),
      },
    ],
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A process that uses a store; what it does is in `child-main.ts`. */
export function startStoreChild(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [join(folder, "child.mjs"), ...args], { stdio: ["ignore", "pipe", "inherit"] });
}

/** Runs it to its end; answers what it said. */
export async function runStoreChild(args: readonly string[]): Promise<string> {
  const { stdout } = startStoreChild(args);
  return stdout === null ? "" : text(stdout);
}
