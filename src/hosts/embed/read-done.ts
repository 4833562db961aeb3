import { createReadStream, fstatSync, type Stats, statSync } from "node:fs";
import { InvalidInput } from "../../kernel/index.ts";
import { splitLines } from "../../wire/split-lines.ts";
import type { InputId } from "./parse-input-line.ts";

/** A vector of thousands of numbers. */
const MOST_CHARS = 16 * 1024 * 1024;
const STDOUT = 1;

export interface Done {
  readonly ids: ReadonlySet<InputId>;
  /** The file is also stdout (`>> FILE`), and a process was killed in the middle of its last line. */
  readonly isTorn: boolean;
}

/** The ids that an earlier output has a vector for. Lines with errors, and broken ones, are to be done again. */
export async function readDone(path: string | undefined): Promise<Done> {
  const ids = new Set<InputId>();
  if (path === undefined) return { ids, isTorn: false };
  const file = statOf(path);
  let last = "\n";
  const watched = async function* (): AsyncGenerator<string> {
    for await (const chunk of createReadStream(path, "utf8")) {
      last = String(chunk).at(-1) ?? last;
      yield String(chunk);
    }
  };
  for await (const lines of splitLines(watched(), MOST_CHARS)) {
    for (const { text } of lines) {
      const id = doneIdOf(text);
      if (id !== undefined) ids.add(id);
    }
  }
  const output = fstatSync(STDOUT);
  const isOutput = output.ino === file.ino && output.dev === file.dev;
  return { ids, isTorn: isOutput && last !== "\n" };
}

function statOf(path: string): Stats {
  try {
    return statSync(path);
  } catch (fault) {
    const { code = "unknown" } = fault as NodeJS.ErrnoException;
    throw new InvalidInput("--resume", path, `a file that can be read (${code})`);
  }
}

function doneIdOf(line: string): InputId | undefined {
  try {
    const { id, embedding } = JSON.parse(line);
    return Array.isArray(embedding) && (typeof id === "string" || typeof id === "number") ? id : undefined;
  } catch {
    return undefined;
  }
}
