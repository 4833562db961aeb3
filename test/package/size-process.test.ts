import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Installed, installPacked } from "./pack.ts";

let installed: Installed;

beforeAll(async () => {
  installed = await installPacked();
}, 60_000);

afterAll(() => installed.remove());

/** Bytes after gzip that an application must load for these imports. What is loaded on demand is not counted. */
async function gzipped(names: string, from: string): Promise<number> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export { ${names} } from "${from}";`, resolveDir: installed.project },
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    platform: "node",
    outdir: installed.project,
    absWorkingDir: installed.project,
    write: false,
    metafile: true,
  });
  const needed = staticFiles(metafile, "stdin.js");
  const files = outputFiles.filter(({ path }) => [...needed].some((name) => path.endsWith(`/${name}`)));
  return files.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
}

function staticFiles({ outputs }: Metafile, entry: string, found = new Set<string>()): Set<string> {
  if (found.has(entry)) return found;
  found.add(entry);
  for (const { path, kind } of outputs[entry]?.imports ?? [])
    if (kind === "import-statement" && path in outputs) staticFiles({ outputs } as Metafile, path, found);
  return found;
}

describe("what a bundle for an application takes from the package", () => {
  test.each([
    ["schedule", "secondwind/kernel", 3000],
    ["schedule", "secondwind", 4500],
    ["definePolicy", "secondwind", 7500],
    ["classify", "secondwind", 60_500],
    ["sleep", "secondwind", 4500],
    ["waits", "secondwind", 3500],
    ["resilient, run, start, stream", "secondwind", 93_000],
    ["resilientModel, resilience", "secondwind/ai-sdk", 98_500],
    ["resilientFetch", "secondwind/fetch", 109_500],
  ])("%s from %s", async (names, from, atMost) => {
    const bytes = await gzipped(names, from);
    process.stdout.write(`${names} from ${from}: ${(bytes / 1000).toFixed(1)} kB after gzip\n`);
    expect(bytes).toBeGreaterThan(300);
    expect(bytes).toBeLessThan(atMost);
  });

  test.each(["", "/fetch", "/ai-sdk"])("secondwind%s needs nothing of Node, and no other package", async (path) => {
    const { metafile } = await build({
      stdin: { contents: `export * from "secondwind${path}";`, resolveDir: installed.project },
      ...{ bundle: true, splitting: true, format: "esm", platform: "browser", write: false, metafile: true },
      ...{ outdir: installed.project, absWorkingDir: installed.project },
    });
    const foreign = Object.keys(metafile.inputs).filter(
      (path) => !/^(?:<stdin>|node_modules\/secondwind\/)/.test(path),
    );
    expect(foreign).toEqual([]);
    expect(
      Object.values(metafile.outputs).flatMap(({ imports }) => imports.filter(({ external }) => external)),
    ).toEqual([]);
  });
});
