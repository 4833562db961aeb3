import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";

/**
 * A program of the tests as one file, made once before them and gone after them: started through a compiler, a hundred
 * processes would take minutes. Answers where the file will be.
 */
export function bundledChild(entry: string): string {
  const folder = mkdtempSync(join(tmpdir(), "secondwind-child-"));
  const outfile = join(folder, `${basename(entry, ".ts")}.mjs`);
  beforeAll(async () => {
    const libsql = pathToFileURL(createRequire(import.meta.url).resolve("libsql")).href;
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      minify: true,
      platform: "node",
      format: "esm",
      // Libraries in CommonJS ask for Node's modules by `require`.
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
      plugins: [
        {
          name: "libsql where it is",
          setup: (setup) => setup.onResolve({ filter: /^libsql$/ }, () => ({ path: libsql, external: true })),
        },
      ],
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return outfile;
}
