import { confine } from "../../../session/tools/confine.ts";
import { readFolder } from "../../../session/tools/open-inside.ts";
import { cleanInput } from "../../../terminal/index.ts";
import type { FolderEntry } from "../chat-parts.ts";

/** A folder as the agent's tools may see it: inside the working folder. Omits names that can't be typed as one word. */
export async function listFolder(root: string, folder: string): Promise<readonly FolderEntry[]> {
  const entries = await readFolder(await confine(root, folder));
  return entries
    .filter(({ name }) => !/\s/.test(name) && cleanInput(name) === name)
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
    .toSorted((one, other) => Number(other.isFolder) - Number(one.isFolder) || (one.name < other.name ? -1 : 1));
}
