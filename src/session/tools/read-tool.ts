import type { FileHandle } from "node:fs/promises";
import { z } from "zod";
import type { Tool } from "../../turn/index.ts";
import { confine } from "./confine.ts";
import { defineTool } from "./define-tool.ts";
import { MOST_CHARS, pageOf } from "./page-of.ts";
import { readBytes, withText } from "./with-text.ts";

const MOST_LINES = 2000;
/** UTF-8 takes at most three bytes for what counts as one: so many are always enough for a page, and for what follows it. */
const PAGE_BYTES = 4 * MOST_CHARS;
const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;
/** Enough to pass several gigabytes. */
const TIME_LIMIT_MS = 10_000;

export function readTool(root: string, timeLimitMs = TIME_LIMIT_MS): Tool {
  return defineTool({
    name: "read",
    description:
      "Reads a text file of the working folder, or some of its lines. Ends with where to continue if there is more.",
    parameters: z.object({
      path: z.string().describe("relative to the working folder"),
      firstLine: z.int().min(1).default(1),
      lines: z.int().min(1).max(MOST_LINES).default(MOST_LINES),
    }),
    run: async ({ path, firstLine, lines }, { signal }) => {
      const deadlineMs = performance.now() + timeLimitMs;
      const checkTime = (passed: number): void => {
        signal.throwIfAborted();
        if (performance.now() < deadlineMs) return;
        throw new Error(`"${path}" is too large: only ${passed} lines could be scanned in ${timeLimitMs / 1000} s`);
      };
      return withText(await confine(root, path), async (file) => {
        const { offset, lines: before } = await passLines(file, firstLine - 1, checkTime);
        const bytes = await readBytes(file, offset, PAGE_BYTES);
        if (bytes.length === 0 && firstLine > 1) throw new Error(`"${path}" has only ${before} lines`);
        const isEnd = bytes.length < PAGE_BYTES;
        return pageOf({ text: bytes.toString("utf8"), isEnd, firstLine, lines });
      });
    },
  });
}

/**
 * Where the line after so many begins, or the end of a file that has fewer, and how many there are before it. Holds one chunk of
 * the file at a time, however large it is.
 */
async function passLines(
  file: FileHandle,
  most: number,
  checkTime: (passed: number) => void,
): Promise<{ readonly offset: number; readonly lines: number }> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let lines = 0;
  let offset = 0;
  let isOpen = false;
  while (lines < most) {
    checkTime(lines);
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, offset);
    if (bytesRead === 0) return { offset, lines: isOpen ? lines + 1 : lines };
    const bytes = chunk.subarray(0, bytesRead);
    let from = 0;
    for (let at = bytes.indexOf(LINE_FEED); at !== -1 && lines < most; at = bytes.indexOf(LINE_FEED, from)) {
      lines++;
      from = at + 1;
    }
    isOpen = from < bytesRead;
    offset += lines === most ? from : bytesRead;
  }
  return { offset, lines };
}
