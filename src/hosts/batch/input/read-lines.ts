import { createReadStream } from "node:fs";
import { InvalidInput } from "../../../kernel/index.ts";
import { type NumberedLine, splitLines } from "../../../wire/split-lines.ts";
import { MOST_LINE_CHARS } from "./parse-line.ts";

/** The lines of a file, read as they are asked for. Throws `InvalidInput` for a file that can't be read. */
export async function* readLines(field: string, path: string): AsyncGenerator<readonly NumberedLine[]> {
  const stream = createReadStream(path, "utf8");
  try {
    yield* splitLines(stream, MOST_LINE_CHARS);
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException;
    if (code === undefined) throw fault;
    throw new InvalidInput(field, path, `a file that can be read (${code})`);
  } finally {
    stream.destroy();
  }
}
