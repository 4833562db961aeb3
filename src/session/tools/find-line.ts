import type { FileHandle } from "node:fs/promises";

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

export type FoundLine =
  | { readonly type: "found"; readonly offset: number }
  /** The file ends after so many lines. */
  | { readonly type: "end"; readonly lines: number }
  /** The time is up after so many. */
  | { readonly type: "time"; readonly lines: number };

/** Where the line with this number begins, counted from 1. Holds one chunk of the file at a time, however large it is. */
export async function findLine(file: FileHandle, line: number, isOver: () => boolean): Promise<FoundLine> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let lines = 0;
  let offset = 0;
  let isOpen = false;
  while (lines < line - 1) {
    if (isOver()) return { type: "time", lines };
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, offset);
    if (bytesRead === 0) return { type: "end", lines: isOpen ? lines + 1 : lines };
    const bytes = chunk.subarray(0, bytesRead);
    let from = 0;
    while (lines < line - 1) {
      const at = bytes.indexOf(LINE_FEED, from);
      if (at === -1) break;
      lines++;
      from = at + 1;
    }
    isOpen = from < bytesRead;
    offset += lines === line - 1 ? from : bytesRead;
  }
  return { type: "found", offset };
}
