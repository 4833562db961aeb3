import { constants, open } from "node:fs/promises";

/** Where a text file looks like a binary one, if it does. */
const PROBE_BYTES = 8192;

export type ReadText =
  | { readonly type: "text"; readonly text: string; readonly isCut: boolean }
  | { readonly type: "refused"; readonly because: "not a file" | "binary" };

/** The beginning of a text file. Pipes and devices are refused before they are opened for long: they may never answer. */
export async function readText(path: string, mostBytes: number): Promise<ReadText> {
  // A pipe that nobody writes to would hang the opening itself. Windows knows no such flag, and no such pipes.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return { type: "refused", because: "not a file" };
    const buffer = Buffer.alloc(Math.min(stat.size, mostBytes));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const bytes = buffer.subarray(0, bytesRead);
    if (bytes.subarray(0, PROBE_BYTES).includes(0)) return { type: "refused", because: "binary" };
    return { type: "text", text: bytes.toString("utf8"), isCut: stat.size > mostBytes };
  } finally {
    await file.close();
  }
}
