import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The web page, built from the current sources. */
    readonly pageFolder: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "secondwind-web-"));
  await build({ configFile: "vite.web.config.ts", logLevel: "error", build: { outDir: folder } });
  project.provide("pageFolder", folder);
  return () => rm(folder, { recursive: true, force: true });
}
