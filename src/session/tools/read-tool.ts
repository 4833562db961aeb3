import { z } from "zod";
import type { Tool } from "../../turn/index.ts";
import { confine } from "./confine.ts";
import { defineTool } from "./define-tool.ts";
import { findLine } from "./find-line.ts";
import { pageOf } from "./page-of.ts";
import { readBytes, withText } from "./with-text.ts";

const MOST_LINES = 2000;
const MOST_CHARS = 100_000;
/** UTF-8 takes at most three bytes for what counts as one: so many are always enough for a page, and for what follows it. */
const PAGE_BYTES = 4 * MOST_CHARS;
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
      const isOver = (): boolean => {
        signal.throwIfAborted();
        return performance.now() >= deadlineMs;
      };
      return withText(await confine(root, path), async (file) => {
        const found = await findLine(file, firstLine, isOver);
        if (found.type === "time")
          throw new Error(
            `"${path}" is too large: only ${found.lines} lines could be scanned in ${timeLimitMs / 1000} s`,
          );
        if (found.type === "end") throw new Error(`"${path}" has only ${found.lines} lines`);
        const bytes = await readBytes(file, found.offset, PAGE_BYTES);
        // The line before was the last: its end is that of the file.
        if (bytes.length === 0 && firstLine > 1) throw new Error(`"${path}" has only ${firstLine - 1} lines`);
        const isEnd = bytes.length < PAGE_BYTES;
        return pageOf({ text: bytes.toString("utf8"), isEnd, firstLine, lines, mostChars: MOST_CHARS });
      });
    },
  });
}
