import type { Tool } from "../../turn/index.ts";
import { askTool } from "./ask-tool.ts";
import { listTool } from "./list-tool.ts";
import { readTool } from "./read-tool.ts";
import { searchTool } from "./search-tool.ts";

/** What an agent may do here: look, in one folder, and ask. */
export function createTools(root: string): readonly Tool[] {
  return [listTool(root), readTool(root), searchTool(root), askTool()];
}
