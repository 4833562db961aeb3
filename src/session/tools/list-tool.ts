import { z } from "zod";
import type { Tool } from "../../turn/index.ts";
import { confine } from "./confine.ts";
import { defineTool } from "./define-tool.ts";
import { readFolder } from "./open-inside.ts";

const MOST_ENTRIES = 1000;

export function listTool(root: string): Tool {
  return defineTool({
    name: "list",
    description: "Lists a folder of the working folder. Folders end with a slash.",
    parameters: z.object({ path: z.string().default(".").describe("relative to the working folder") }),
    run: async ({ path }) => {
      const entries = await readFolder(await confine(root, path));
      const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
      const shown = names.slice(0, MOST_ENTRIES);
      const more = names.length - shown.length;
      return [...shown, ...(more > 0 ? [`… and ${more} more`] : [])].join("\n") || "(empty)";
    },
  });
}
