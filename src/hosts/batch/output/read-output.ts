import { createReadStream, existsSync, statSync } from "node:fs";
import { InvalidInput } from "../../../kernel/index.ts";
import type { LineTable } from "../input/line-table.ts";
import { byteLines } from "./byte-lines.ts";
import { readResult } from "./result-line.ts";

export interface OutputSurvey {
  readonly done: number;
  readonly failed: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Bytes up to the end of the last whole line. What is behind it was torn off by a crash or a full disk. */
  readonly wholeBytes: number;
  readonly tornBytes: number;
}

/**
 * What an earlier run has written: the state of the work is in the output itself, so that nothing else can get lost. Fills the
 * table. Throws `InvalidInput` for a file that is no output of ours.
 */
export async function readOutput(path: string, table: LineTable): Promise<OutputSurvey> {
  const counts = { done: 0, failed: 0, inputTokens: 0, outputTokens: 0, wholeBytes: 0 };
  if (!existsSync(path)) return { ...counts, tornBytes: 0 };
  if (!statSync(path).isFile()) throw new InvalidInput("--output", path, "a file");
  let number = 0;
  for await (const { text, endByte } of byteLines(createReadStream(path))) {
    number++;
    const result = readResult(text);
    if (result === undefined) throw notOurs(path, number);
    if (table.stateOf(result.line) !== "absent") throw twice(path, number, result.line);
    table.set(result.line, result.isFailed ? "failed" : "done", result.hash);
    counts[result.isFailed ? "failed" : "done"]++;
    counts.inputTokens += result.inputTokens;
    counts.outputTokens += result.outputTokens;
    counts.wholeBytes = endByte;
  }
  return { ...counts, tornBytes: statSync(path).size - counts.wholeBytes };
}

function notOurs(path: string, number: number): InvalidInput {
  const text = `${path}, line ${number}: not a result of secondwind batch. Use another output file.`;
  return new InvalidInput("--output", path, "a new file, or the output of an earlier run", text);
}

function twice(path: string, number: number, line: number): InvalidInput {
  const text = `${path}, line ${number}: a second result for input line ${line}. Remove one of them.`;
  return new InvalidInput("--output", path, "one result for each line", text);
}
