import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { build } from "vite";
import type { TestProject } from "vitest/node";
import { isBuildFresh } from "../../../../build/is-build-fresh.ts";
import { CHROMIUM, findTool } from "../../../../build/tools.ts";
import { serveHost } from "./serve-host.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly browserAddress: string;
    readonly bundle: string;
    readonly importable: string;
  }
}

/** Builds the script from the current sources, unless `dist` has it, and starts one browser for all test files. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  // Without Chromium there are no test files, and nothing is set up.
  const executablePath = findTool(CHROMIUM) ?? "";
  const folder = await mkdtemp(join(tmpdir(), "secondwind-tavern-"));
  if (await isBuildFresh()) await cp("dist/tavern", folder, { recursive: true });
  else await build({ configFile: "vite.tavern.config.ts", logLevel: "error", build: { outDir: folder } });
  const bundle = await readFile(join(folder, "secondwind.js"), "utf8");
  project.provide("bundle", bundle);
  project.provide("importable", await readFile(join(folder, "secondwind.json"), "utf8"));
  const { server, port } = await serveHost(bundle);
  // Not `localhost`: a chat on the local network is no secure context either, and lacks some of the browser's functions.
  const named = `--host-resolver-rules=MAP tavern.test:80 127.0.0.1:${port}`;
  const browser = await chromium.launchServer({ executablePath, args: ["--no-sandbox", named] });
  project.provide("browserAddress", browser.wsEndpoint());
  return async () => {
    await browser.close();
    server.close();
    await rm(folder, { recursive: true, force: true });
  };
}
