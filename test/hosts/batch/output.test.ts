import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { IdSet } from "../../../src/hosts/batch/input/id-set.ts";
import { LineTable } from "../../../src/hosts/batch/input/line-table.ts";
import { hashOf } from "../../../src/hosts/batch/input/parse-line.ts";
import { surveyInput } from "../../../src/hosts/batch/input/survey-input.ts";
import { lockOutput } from "../../../src/hosts/batch/output/lock-output.ts";
import { OutputFile } from "../../../src/hosts/batch/output/output-file.ts";
import { readOutput } from "../../../src/hosts/batch/output/read-output.ts";
import { dropFailed, sortOutput } from "../../../src/hosts/batch/output/rewrite-output.ts";

let home = "";
let output = "";
let input = "";
let runs = 0;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "secondwind-batch-output-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));
beforeEach(() => {
  output = join(home, `out-${++runs}.jsonl`);
  input = join(home, `in-${runs}.jsonl`);
});

const result = (line: number, more: object = { text: "x" }, text = `"q${line}"`): string =>
  `${JSON.stringify({ id: line, line, ...more, input: hashOf(text) })}\n`;
const survey = (table: LineTable, isRetryingFailed = false) =>
  surveyInput({ file: input, name: "in.jsonl", table, output: "out.jsonl", isRetryingFailed });

describe("the output of a batch", () => {
  test("B6: is the memory of the run: what has a result is not asked again", async () => {
    writeFileSync(input, '"q1"\n\n"q3"\r\n"q4"\n"q5"');
    writeFileSync(
      output,
      result(4) + result(1, { error: "no", kind: "server", usage: { inputTokens: 2, outputTokens: 3 } }),
    );
    const table = new LineTable();
    expect(await readOutput(output, table)).toMatchObject({
      done: 1,
      failed: 1,
      inputTokens: 2,
      outputTokens: 3,
      tornBytes: 0,
    });
    expect(await survey(table)).toMatchObject({ lines: 4, bad: 0 });
    expect([1, 2, 3, 4, 5].map((line) => table.stateOf(line))).toEqual(["failed", "absent", "todo", "done", "todo"]);
  });

  test("B6: a torn last line is found by its missing newline, and cut off", async () => {
    writeFileSync(output, `${result(1)}${result(2).slice(0, -5)}`);
    const { wholeBytes, tornBytes, done } = await readOutput(output, new LineTable());
    expect([done, tornBytes]).toEqual([1, result(2).length - 5]);
    const file = await OutputFile.open(output, wholeBytes);
    await Promise.all([file.write(result(2)), file.write(result(3))]);
    await file.close();
    expect(readFileSync(output, "utf8")).toBe(result(1) + result(2) + result(3));
  });

  test("B6: a file that is no output, and a second result for a line, are refused", async () => {
    writeFileSync(output, `${result(1)}{"mine":true}\n`);
    await expect(readOutput(output, new LineTable())).rejects.toThrow("line 2: not a result of secondwind batch");
    writeFileSync(output, result(1) + result(1));
    await expect(readOutput(output, new LineTable())).rejects.toThrow("line 2: a second result for input line 1");
  });

  test("B6: an input that has changed is refused, but a failed line may be corrected for --retry-failed", async () => {
    const read = async (): Promise<LineTable> => {
      const table = new LineTable();
      await readOutput(output, table);
      return table;
    };
    writeFileSync(output, result(1) + result(2, { error: "bad", kind: "bad_line" }));
    writeFileSync(input, '"q1"\n"corrected"\n');
    await expect(survey(await read())).rejects.toThrow(
      "in.jsonl, line 2: changed since its result was written to out.jsonl. Use --retry-failed",
    );
    expect(await survey(await read(), true)).toMatchObject({ lines: 2 });
    writeFileSync(input, '"other"\n"q2"\n');
    await expect(survey(await read())).rejects.toThrow("line 1: changed");
    writeFileSync(input, '"q1"\n');
    await expect(survey(await read())).rejects.toThrow("line 2: changed");
  });

  test("B6: an id that is there twice is refused, also as a number and as the number of a line", async () => {
    writeFileSync(input, '{"id":"a","prompt":"x"}\n"y"\n{"id":"2","prompt":"z"}\n');
    await expect(survey(new LineTable())).rejects.toThrow('in.jsonl, line 3: the id "2" was already used in line 2');
  });

  test("B6: failed results are dropped, and results are sorted, in a new file that takes the old one's place", async () => {
    writeFileSync(output, result(3) + result(1, { error: "no", kind: "server" }) + result(2));
    await dropFailed(output);
    expect(readFileSync(output, "utf8")).toBe(result(3) + result(2));
    await sortOutput(output);
    expect(readFileSync(output, "utf8")).toBe(result(2) + result(3));
    expect(existsSync(`${output}.new`)).toBe(false);
  });

  test("B6: the lock is refused while its process lives, and taken over when it is gone", () => {
    const unlock = lockOutput(output);
    expect(() => lockOutput(output)).toThrow(
      `is in use by another secondwind batch (process ${process.pid} on ${hostname()})`,
    );
    unlock();
    expect(existsSync(`${output}.lock`)).toBe(false);
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    writeFileSync(`${output}.lock`, JSON.stringify({ pid, host: hostname(), started: "1" }));
    lockOutput(output)();
    // Another process has the number now.
    writeFileSync(`${output}.lock`, JSON.stringify({ pid: process.pid, host: hostname(), started: "1" }));
    lockOutput(output)();
    writeFileSync(`${output}.lock`, JSON.stringify({ pid, host: "elsewhere", started: "1" }));
    expect(() => lockOutput(output)).toThrow("remove");
  });

  test("B6: a hundred thousand ids take a few megabytes, and each is found again", () => {
    const ids = new IdSet();
    let twice = 0;
    for (let n = 1; n <= 100_000; n++) if (ids.add(`id-${n}`, n) !== undefined) twice++;
    expect(twice).toBe(0);
    expect([ids.add("id-1", 5), ids.add("id-77777", 5), ids.add("id-100000", 5)]).toEqual([1, 77_777, 100_000]);
  });
});
