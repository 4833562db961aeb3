import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { SearchLimits } from "../../../src/session/tools/file-search.ts";
import { SEARCH_LIMITS, searchTool } from "../../../src/session/tools/search-tool.ts";
import { toolFolder, use } from "./tool-folder.ts";

const MIB = 1024 * 1024;
const folder = toolFolder();

beforeAll(async () => {
  const { root } = folder;
  await mkdir(join(root, "few"));
  await mkdir(join(root, "many"));
  await mkdir(join(root, "deep/er"), { recursive: true });
  await writeFile(join(root, "few/a.txt"), "one\r\nTwo needles\nthree needles");
  await writeFile(join(root, "few/b.txt"), "a needle\n");
  await writeFile(join(root, "few/bytes.bin"), Buffer.from([0, 1, 2]));
  await writeFile(join(root, "many/a.txt"), "needle\n".repeat(300_000));
  await writeFile(join(root, "many/b.txt"), "needle\n");
  await writeFile(join(root, "late.txt"), `${"hay\n".repeat(MIB)}the needle\n`);
  await writeFile(join(root, "long.txt"), `${"x".repeat(2 * MIB)} needle\nneedle\n`);
});

function search(args: Record<string, unknown>, limits: Partial<SearchLimits> = {}): Promise<string> {
  return use(searchTool(folder.root, { ...SEARCH_LIMITS, ...limits }), { text: "needle", ...args });
}

const NOBODY = 65_534;

describe("the tool search", () => {
  test("S9: a path that is a file is searched, and that one alone", async () => {
    expect(await search({ path: "few/a.txt" })).toBe("few/a.txt:2: Two needles\nfew/a.txt:3: three needles");
    expect(await search({ path: "few/a.txt", text: "nowhere" })).toBe("Not found");
  });

  test("S9: a file that can't be searched is refused by its name, not passed over", async () => {
    await expect(search({ path: "few/bytes.bin" })).rejects.toThrow('"few/bytes.bin" can\'t be read: it is binary');
  });

  test("S9: a file is searched to its end, however large", async () => {
    expect(await search({ path: "late.txt" })).toBe(`late.txt:${MIB + 1}: the needle`);
  });

  test("S9: limits the number of matches and reports that there may be more", async () => {
    const lines = (await search({ path: "many" })).split("\n");
    expect(lines).toHaveLength(201);
    expect(lines[199]).toBe("many/a.txt:200: needle");
    expect(lines[200]).toBe("… (stopped after 200 matches: there may be more)");
  });

  test("S9: as many matches as there may be, and no more, are all there is", async () => {
    expect(await search({ path: "few" }, { matches: 3 })).not.toContain("stopped");
    expect(await search({ path: "few" }, { matches: 2 })).toContain("stopped after 2 matches");
  });

  test("S9: limits the number of files that are searched", async () => {
    expect(await search({ path: "few" }, { files: 1 })).toBe(
      "few/a.txt:2: Two needles\nfew/a.txt:3: three needles\n… (stopped after 1 file: there may be more)",
    );
    expect(await search({ path: "few" }, { files: 3 })).not.toContain("stopped");
  });

  test("S9: limits the bytes that are searched, and names the file where it stopped", async () => {
    expect(await search({ path: "late.txt" }, { bytes: MIB })).toBe(
      "Not found\n… (stopped after 1 MiB, in late.txt: there may be more)",
    );
  });

  test("S9: after its time it stops, also where there is nothing but folders", async () => {
    expect(await search({ path: "few" }, { timeMs: 0 })).toBe("Not found\n… (stopped after 0 s: there may be more)");
    expect(await search({ path: "deep" }, { timeMs: 0 })).toContain("stopped after 0 s");
  });

  test("S9: only the beginning of a very long line is searched, and the result mentions it", async () => {
    expect(await search({ path: "long.txt" })).toBe(
      "long.txt:2: needle\n… (1 line was searched in the first 1048576 characters only)",
    );
  });

  test("S9: files that may not be read are counted", async () => {
    const path = join(folder.root, "deep/closed.txt");
    await writeFile(path, "needle");
    await chmod(path, 0);
    // Nothing is closed to root.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) {
      await chmod(dirname(folder.root), 0o755);
      await chmod(folder.root, 0o755);
      process.seteuid?.(NOBODY);
    }
    try {
      expect(await search({ path: "deep" })).toBe("Not found\n… (1 file or folder could not be read)");
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  test("S9: an abort ends it at once", async () => {
    const aborted = use(searchTool(folder.root), { text: "hay" }, AbortSignal.abort(new Error("enough")));
    await expect(aborted).rejects.toThrow("enough");
  });
});
