import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { Tool } from "../../../src/turn/index.ts";

/** A working folder `work` in a folder of its own, which is there while the tests of a file run. */
export function toolFolder(): { readonly outside: string; readonly root: string } {
  const folder = { outside: "", root: "" };
  beforeAll(async () => {
    folder.outside = await realpath(await mkdtemp(join(tmpdir(), "secondwind-tools-")));
    folder.root = join(folder.outside, "work");
    await mkdir(folder.root);
  });
  afterAll(() => rm(folder.outside, { recursive: true, force: true }));
  return folder;
}

export async function use(tool: Tool, args: Record<string, unknown>, signal?: AbortSignal): Promise<string> {
  return tool.run(args, {
    toolCallId: "a",
    signal: signal ?? new AbortController().signal,
    ask: ({ prompt }) => Promise.resolve(`asked: ${prompt}`),
  });
}
