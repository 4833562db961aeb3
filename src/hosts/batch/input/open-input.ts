import { createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { InvalidInput } from "../../../kernel/index.ts";

export interface Input {
  /** What is read: the file itself, or a copy of stdin. */
  readonly path: string;
  /** What people call it. */
  readonly name: string;
  close(): Promise<void>;
}

/**
 * The file of the input. Stdin is copied beside the output first, because the input is read twice: nothing is asked before all of
 * it is known to be sound.
 */
export async function openInput(file: string, output: string): Promise<Input> {
  if (file !== "-") {
    await checkFile(file);
    return { path: file, name: file, close: async () => undefined };
  }
  const path = `${output}.stdin`;
  await pipeline(process.stdin, createWriteStream(path));
  return { path, name: "stdin", close: () => rm(path, { force: true }) };
}

async function checkFile(file: string): Promise<void> {
  let problem = "not a file";
  try {
    if ((await stat(file)).isFile()) return;
  } catch (fault) {
    problem = (fault as NodeJS.ErrnoException).code ?? problem;
  }
  throw new InvalidInput("FILE", file, `a file that can be read (${problem}), or - for stdin`);
}
