import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { readTool } from "../../../src/session/tools/read-tool.ts";
import { toolFolder, use } from "./tool-folder.ts";

const folder = toolFolder();

beforeAll(async () => {
  const { root } = folder;
  await writeFile(join(root, "a.txt"), "one\ntwo\nthree\n");
  await writeFile(join(root, "open.txt"), "one\ntwo");
  await writeFile(join(root, "empty.txt"), "");
  await writeFile(join(root, "wide.txt"), `${"é".repeat(150_000)}\nnext\n`);
  const lines = Array.from({ length: 300_000 }, (_, index) => `line ${index + 1} of many\n`);
  await writeFile(join(root, "large.txt"), lines.join(""));
});

const read = (args: Record<string, unknown>): Promise<string> => use(readTool(folder.root), args);

describe("the tool read", () => {
  test("S9: gives a whole file as it is, also where its last line has no end", async () => {
    expect(await read({ path: "a.txt" })).toBe("one\ntwo\nthree\n");
    expect(await read({ path: "a.txt", lines: 3 })).toBe("one\ntwo\nthree\n");
    expect(await read({ path: "open.txt" })).toBe("one\ntwo");
    expect(await read({ path: "empty.txt" })).toBe("");
  });

  test("S9: names the line to continue with if there are more lines", async () => {
    expect(await read({ path: "a.txt", lines: 2 })).toBe("one\ntwo\n… (more lines follow; continue with firstLine 3)");
    expect(await read({ path: "open.txt", lines: 1 })).toBe("one\n… (more lines follow; continue with firstLine 2)");
  });

  test("S9: reads lines that lie far behind the first megabyte", async () => {
    const text = await read({ path: "large.txt", firstLine: 299_998, lines: 2 });
    expect(text).toBe(
      "line 299998 of many\nline 299999 of many\n… (more lines follow; continue with firstLine 300000)",
    );
    expect(await read({ path: "large.txt", firstLine: 299_999 })).toBe("line 299999 of many\nline 300000 of many\n");
  });

  test("S9: reports the number of lines if firstLine is beyond the last one", async () => {
    await expect(read({ path: "a.txt", firstLine: 4 })).rejects.toThrow('"a.txt" has only 3 lines');
    await expect(read({ path: "open.txt", firstLine: 9 })).rejects.toThrow('"open.txt" has only 2 lines');
    await expect(read({ path: "empty.txt", firstLine: 2 })).rejects.toThrow('"empty.txt" has only 0 lines');
  });

  test("S9: cuts between lines where it can, and a line that is too long by itself in its middle", async () => {
    const text = await read({ path: "large.txt", lines: 2000, firstLine: 200_000 });
    expect(text.split("\n")).toHaveLength(2001);
    const wide = await read({ path: "wide.txt" });
    expect(wide).toBe(`${"é".repeat(100_000)}\n… (line 1 is cut; more lines follow; continue with firstLine 2)`);
    expect(await read({ path: "wide.txt", firstLine: 2 })).toBe("next\n");
  });

  test("S9: continuing with the named line returns the complete file, whatever its lines are", async () => {
    const path = join(folder.root, "any.txt");
    const line = fc.oneof(fc.string({ unit: "binary" }), fc.constant("\r"), fc.constant("x".repeat(70_000)));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.integer({ min: 1, max: 4 }), async (drawn, lines) => {
        const text = drawn.join("\n").replaceAll("\0", "");
        await writeFile(path, text);
        let all = "";
        for (let firstLine: number | undefined = 1; firstLine !== undefined; ) {
          const page = await read({ path: "any.txt", firstLine, lines });
          const [whole, next] = /(?<=^|\n)… \(more lines follow; continue with firstLine (\d+)\)$/.exec(page) ?? [""];
          all += whole === "" ? page : page.slice(0, -whole.length);
          firstLine = next === undefined ? undefined : Number(next);
        }
        expect(all).toBe(text);
      }),
      { numRuns: 40 },
    );
  });

  test("S9: holds a small part of a large file in memory", async () => {
    const path = join(folder.root, "huge.txt");
    const file = await open(path, "w");
    // Sparse: zeros that take no room on the disk, three times what may be in memory, behind a beginning that is text.
    await file.write("x".repeat(10_000));
    await file.write("\nlast\n", 192 * 1024 * 1024);
    await file.close();
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
    expect(await read({ path: "huge.txt", firstLine: 2 })).toBe("last\n");
    const after = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
    expect(after - before).toBeLessThan(64 * 1024 * 1024);
  });

  test("S9: gives up on a line that is too far away for its time", async () => {
    const hasty = use(readTool(folder.root, 0), { path: "large.txt", firstLine: 2 });
    await expect(hasty).rejects.toThrow('"large.txt" is too large: only 0 lines could be scanned in 0 s');
  });

  test("S9: an abort ends it at once", async () => {
    const aborted = use(
      readTool(folder.root),
      { path: "large.txt", firstLine: 9 },
      AbortSignal.abort(new Error("enough")),
    );
    await expect(aborted).rejects.toThrow("enough");
  });
});
