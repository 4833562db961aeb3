import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The worker as one file: run through a compiler it takes twice as long, because that names every closure. */
export async function bundleWorker(): Promise<{ readonly file: string; readonly remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), "secondwind-lab-"));
  const file = join(folder, "worker.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("worker.ts", import.meta.url))],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
  });
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
