import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** What is written last by each part of `npm run build`. */
const BUILT = [
  "dist/cli.cjs",
  "dist/main.js",
  "dist/ask/ask.cjs",
  "dist/tavern/secondwind.json",
  "dist/web/index.html",
];
const SOURCES = ["src", "build"];
const SETTINGS = [
  "package.json",
  "package-lock.json",
  "tsdown.config.ts",
  "vite.tavern.config.ts",
  "vite.web.config.ts",
];

/** Whether `dist` holds the current sources: every part is there and newer than all that it is made from. */
export async function isBuildFresh(): Promise<boolean> {
  const built = await Promise.all(BUILT.map(changedAt));
  const folders = await Promise.all(SOURCES.map((folder) => readdir(folder, { recursive: true })));
  const files = folders.flatMap((names, at) => names.map((name) => join(SOURCES[at] as string, name)));
  const changed = await Promise.all([...SETTINGS, ...files].map(changedAt));
  return Math.min(...built) > Math.max(...changed);
}

/** A missing file is as old as can be. */
async function changedAt(file: string): Promise<number> {
  try {
    return (await stat(file)).mtimeMs;
  } catch {
    return 0;
  }
}
