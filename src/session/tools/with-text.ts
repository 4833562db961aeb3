import type { FileHandle } from "node:fs/promises";
import type { Place } from "./confine.ts";
import { openInside } from "./open-inside.ts";

/** Where a text file looks like a binary one, if it does. */
const PROBE_BYTES = 8192;

/** Pipes and devices may never end, and bytes are nothing to tell a model. */
export class NotText extends Error {
  constructor(name: string, because: "not a file" | "binary") {
    super(`"${name}" can't be read: it is ${because}`);
    this.name = "NotText";
  }
}

/** Does something with an open text file, and closes it. Throws `NotText` for anything else. */
export async function withText<T>(place: Place, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await openInside(place);
  try {
    if (!(await file.stat()).isFile()) throw new NotText(place.name, "not a file");
    const probe = await readBytes(file, 0, PROBE_BYTES);
    if (probe.includes(0)) throw new NotText(place.name, "binary");
    return await work(file);
  } finally {
    await file.close();
  }
}

/** So many bytes from there on; fewer only where the file ends. */
export async function readBytes(file: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  let filled = 0;
  while (filled < bytes) {
    const { bytesRead } = await file.read(buffer, filled, bytes - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
