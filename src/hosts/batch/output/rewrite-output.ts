import { createReadStream } from "node:fs";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { byteLines } from "./byte-lines.ts";
import { readResult } from "./result-line.ts";

/** Writes the output anew without its failed results. The file is replaced at once: a crash leaves the old one or the new one. */
export async function dropFailed(path: string): Promise<number> {
  return replace(path, async (file) => {
    for await (const { text } of byteLines(createReadStream(path))) {
      if (readResult(text)?.isFailed !== true) await file.write(`${text}\n`);
    }
  });
}

/** Writes the output in the order of the input, if it is not. */
export async function sortOutput(path: string): Promise<void> {
  const { starts, ends, last, isSorted } = await placesOf(path);
  if (isSorted) return;
  const source = await open(path, "r");
  try {
    await replace(path, async (file) => {
      for (let line = 1; line <= last; line++) {
        const [start = 0, end = 0] = [starts[line], ends[line]];
        if (end === 0) continue;
        const { buffer } = await source.read(Buffer.allocUnsafe(end - start), 0, end - start, start);
        await file.write(buffer);
      }
    });
  } finally {
    await source.close();
  }
}

/** Where the result of each line stands: sixteen bytes a line. */
async function placesOf(path: string): Promise<{ starts: number[]; ends: number[]; last: number; isSorted: boolean }> {
  const starts: number[] = [];
  const ends: number[] = [];
  let last = 0;
  let isSorted = true;
  for await (const { text, startByte, endByte } of byteLines(createReadStream(path))) {
    const line = readResult(text)?.line ?? 0;
    if (line < last) isSorted = false;
    last = Math.max(last, line);
    while (starts.length <= line) {
      starts.push(0);
      ends.push(0);
    }
    starts[line] = startByte;
    ends[line] = endByte;
  }
  return { starts, ends, last, isSorted };
}

/** Returns the size of the new file. */
async function replace(path: string, fill: (file: FileHandle) => Promise<void>): Promise<number> {
  const next = `${path}.new`;
  const file = await open(next, "w", (await stat(path)).mode & 0o777);
  try {
    try {
      await fill(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, path);
  } catch (fault) {
    await rm(next, { force: true });
    throw fault;
  }
  // The new name is on the disk once its folder is. Windows can't open one.
  const folder = await open(dirname(path), "r").catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
  return (await stat(path)).size;
}
