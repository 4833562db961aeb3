import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { buildProgram } from "../../build/build-program.ts";
import { isBuildFresh } from "../../build/is-build-fresh.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the built program: `cli.cjs` and what it loads. */
    readonly program: string;
  }
}

/**
 * Builds the program from the sources, once for all test files: started through a compiler, each process would take five times as
 * long. A build that is newer than the sources, as `npm install` makes it, is copied. Inside node_modules, because the native
 * database is found from there.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const caches = resolve("node_modules/.cache");
  await mkdir(caches, { recursive: true });
  const folder = await mkdtemp(join(caches, "secondwind-program-"));
  if (await isBuildFresh()) await cp("dist", folder, { recursive: true });
  else await buildProgram(folder);
  project.provide("program", folder);
  project.onTestsRerun(() => buildProgram(folder));
  return () => rm(folder, { recursive: true, force: true });
}
