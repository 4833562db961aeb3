import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { z } from "zod";
import type { Tool } from "../../turn/index.ts";
import { confine } from "./confine.ts";
import { defineTool } from "./define-tool.ts";
import { readText } from "./read-text.ts";

const MOST_BYTES = 1024 * 1024;
const MOST_FILES = 5000;
const MOST_MATCHES = 200;
const MOST_LINE_CHARS = 200;
const TIME_LIMIT_MS = 10_000;
/** What nobody wants to find anything in. */
const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules"]);

export function searchTool(root: string): Tool {
  return defineTool({
    name: "search",
    description: "Finds a plain text in the files of the working folder. Answers lines as path:number: text.",
    parameters: z.object({
      // Not a pattern: a pattern of a model's could take for ever.
      text: z.string().min(1).describe("plain text, in any case"),
      path: z.string().default(".").describe("a folder to search in, relative to the working folder"),
    }),
    run: async ({ text, path }, { signal }) => {
      const start = await confine(root, path);
      const base = await confine(root, ".");
      const bound = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
      const matches: string[] = [];
      let files = 0;
      for await (const file of walk(start)) {
        if (++files > MOST_FILES || matches.length >= MOST_MATCHES || bound.aborted) {
          matches.push("… (there may be more)");
          break;
        }
        matches.push(...(await matchesIn(file, relative(base, file), text.toLowerCase())));
      }
      return matches.slice(0, MOST_MATCHES + 1).join("\n") || "Not found";
    },
  });
}

/** Files below a folder. Links are not followed: they may lead out, or round in a circle. */
async function* walk(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) yield* walk(path);
    else if (entry.isFile()) yield path;
  }
}

async function matchesIn(file: string, name: string, wanted: string): Promise<string[]> {
  const read = await readText(file, MOST_BYTES).catch(() => undefined);
  if (read?.type !== "text") return [];
  return read.text.split("\n").flatMap((line, index) => {
    return line.toLowerCase().includes(wanted) ? [`${name}:${index + 1}: ${line.slice(0, MOST_LINE_CHARS)}`] : [];
  });
}
