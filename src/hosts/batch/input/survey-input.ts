import { InvalidInput } from "../../../kernel/index.ts";
import type { BadLine } from "./batch-line.ts";
import { isBad } from "./batch-line.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { IdSet } from "./id-set.ts";
import type { LineTable } from "./line-table.ts";
import { hashOf, isBlank, parseLine } from "./parse-line.ts";
import { readLines } from "./read-lines.ts";

export interface InputSurvey {
  /** Lines that are not blank. */
  readonly lines: number;
  readonly bad: number;
  /** Bad lines that are to be done. */
  readonly todoBad: number;
  /** The first of them, for people. */
  readonly firstBad: readonly BadLine[];
  /** A guess at the input tokens of what is to be done. */
  readonly tokens: number;
  /** Lines to do that name a model of their own. */
  readonly withModel: number;
}

interface SurveySetup {
  readonly file: string;
  /** What people call it. */
  readonly name: string;
  /** Has what the output says about each line; gets the lines that are to be done. */
  readonly table: LineTable;
  readonly output: string;
  readonly isRetryingFailed: boolean;
}

const MOST_SHOWN = 3;

/**
 * Reads the whole input once, before anything is asked: counts, finds bad lines, and compares it with what the output says.
 * Throws `InvalidInput` for an id that is there twice, and for a line that has changed since its result was written.
 */
export async function surveyInput({ file, name, table, output, isRetryingFailed }: SurveySetup): Promise<InputSurvey> {
  const ids = new IdSet();
  const firstBad: BadLine[] = [];
  const counts = { lines: 0, bad: 0, todoBad: 0, tokens: 0, withModel: 0 };
  let number = 0;
  for await (const lines of readLines("FILE", file)) {
    for (const line of lines) {
      number = line.number;
      const before = table.stateOf(number);
      if (isBlank(line)) {
        if (before !== "absent") throw changed(name, output, number);
        continue;
      }
      counts.lines++;
      const parsed = parseLine(line);
      const earlier = ids.add(parsed.id, number);
      if (earlier !== undefined) throw usedTwice(name, parsed.id, earlier, number);
      const isChanged = before !== "absent" && table.hashOf(number) !== hashOf(line.text);
      // A failed line that was corrected is what --retry-failed is for.
      if (isChanged && !(before === "failed" && isRetryingFailed)) throw changed(name, output, number, before);
      if (isBad(parsed)) counts.bad++;
      if (before === "done" || (before === "failed" && !isRetryingFailed)) continue;
      if (isBad(parsed)) {
        counts.todoBad++;
        if (firstBad.length < MOST_SHOWN) firstBad.push(parsed);
      } else {
        counts.tokens += estimateTokens(parsed.request);
        if (parsed.request.model !== undefined) counts.withModel++;
      }
      table.set(number, "todo", parsed.hash);
    }
  }
  if (table.last > number) throw changed(name, output, table.last);
  return { ...counts, firstBad };
}

function usedTwice(file: string, id: unknown, earlier: number, number: number): InvalidInput {
  const text = `${file}, line ${number}: the id ${JSON.stringify(id)} was already used in line ${earlier}`;
  return new InvalidInput("id", id, "different in each line", text);
}

function changed(file: string, output: string, number: number, state?: string): InvalidInput {
  const way =
    state === "failed"
      ? "Use --retry-failed to ask failed lines again, or another output file."
      : "Use another output file.";
  const text = `${file}, line ${number}: changed since its result was written to ${output}. ${way}`;
  return new InvalidInput("FILE", file, "unchanged", text);
}
