import { z } from "zod";
import type { Tool } from "../../turn/index.ts";
import { confine } from "./confine.ts";
import { defineTool } from "./define-tool.ts";
import { readText } from "./read-text.ts";

const MOST_BYTES = 1024 * 1024;
const MOST_LINES = 2000;
const MOST_CHARS = 100_000;

export function readTool(root: string): Tool {
  return defineTool({
    name: "read",
    description: "Reads a text file of the working folder, or some of its lines.",
    parameters: z.object({
      path: z.string().describe("relative to the working folder"),
      firstLine: z.int().min(1).default(1),
      lines: z.int().min(1).max(MOST_LINES).default(MOST_LINES),
    }),
    run: async ({ path, firstLine, lines }) => {
      const read = await readText(await confine(root, path), MOST_BYTES);
      if (read.type === "refused") throw new Error(`"${path}" can't be read: it is ${read.because}`);
      const all = read.text.split("\n");
      const wanted = all.slice(firstLine - 1, firstLine - 1 + lines).join("\n");
      const isCut = read.isCut || firstLine - 1 + lines < all.length || wanted.length > MOST_CHARS;
      return wanted.slice(0, MOST_CHARS) + (isCut ? "\n… (there is more)" : "");
    },
  });
}
