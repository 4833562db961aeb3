import { z } from "zod";
import type { Tool } from "../../turn/index.ts";
import { confine } from "./confine.ts";
import { defineTool } from "./define-tool.ts";
import { FileSearch, MOST_LINE_CHARS, type SearchLimits } from "./file-search.ts";

export const SEARCH_LIMITS: SearchLimits = {
  files: 5000,
  matches: 200,
  bytes: 256 * 1024 * 1024,
  timeMs: 10_000,
};

export function searchTool(root: string, limits = SEARCH_LIMITS): Tool {
  return defineTool({
    name: "search",
    description:
      "Finds a plain text in the files of the working folder. Returns lines as path:number: text, and names what was skipped; " +
      "binary files, links, .git and node_modules always are.",
    parameters: z.object({
      // Not a pattern: a pattern of a model's could take for ever.
      text: z.string().min(1).describe("plain text, in any case"),
      path: z.string().default(".").describe("a folder or file to search in, relative to the working folder"),
    }),
    run: async ({ text, path }, { signal }) => {
      const search = new FileSearch(limits, signal);
      await search.run(await confine(root, path), text.toLowerCase());
      const found = search.matches.length === 0 ? ["Not found"] : search.matches;
      return [...found, ...leftOut(search).map((what) => `… (${what})`)].join("\n");
    },
  });
}

/** A partial result must not be taken for a complete one. */
function leftOut({ stoppedAfter, cutLines, unread }: FileSearch): readonly string[] {
  const first = `first ${MOST_LINE_CHARS} characters only`;
  return [
    ...(stoppedAfter === undefined ? [] : [`stopped after ${stoppedAfter}: there may be more`]),
    ...(cutLines === 0 ? [] : [`${cutLines === 1 ? "1 line was" : `${cutLines} lines were`} searched in the ${first}`]),
    ...(unread === 0 ? [] : [`${unread === 1 ? "1 file or folder" : `${unread} files or folders`} could not be read`]),
  ];
}
