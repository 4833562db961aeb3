import { InvalidInput } from "../../../kernel/index.ts";
import type { BadLine, BatchLine } from "./batch-line.ts";
import type { LineTable } from "./line-table.ts";
import { hashOf, parseLine } from "./parse-line.ts";
import { readLines } from "./read-lines.ts";

/** The lines that are to be done, read as they are asked for. Throws if the file has changed since it was surveyed. */
export async function* todoLines(file: string, table: LineTable): AsyncGenerator<BatchLine | BadLine> {
  for await (const lines of readLines("FILE", file)) {
    for (const line of lines) {
      if (table.stateOf(line.number) !== "todo") continue;
      if (hashOf(line.text) !== table.hashOf(line.number)) {
        throw new InvalidInput(
          "FILE",
          file,
          "unchanged",
          `${file}, line ${line.number}: changed while the batch was running`,
        );
      }
      yield parseLine(line);
    }
  }
}
