import { writeFileSync } from "node:fs";
import { InvalidInput } from "../../kernel/index.ts";
import { emptySurvey, renderReport, type Survey, survey } from "../../simulator/lab/index.ts";
import { onInterrupt, openTerminal } from "../../terminal/index.ts";
import { figuresJson } from "./figures-json.ts";
import { BATCH_SCENARIO, labBatch } from "./lab-batch.ts";
import { type LabOptions, parseOptions } from "./parse-options.ts";
import { progressBar } from "./progress-bar.ts";
import { renderTable } from "./render-table.ts";

const STOPPED = 130;

/** `secondwind lab`: returns the exit code. Throws `InvalidInput` for invalid options. */
export async function lab(options: LabOptions): Promise<number> {
  if (options.scenario === BATCH_SCENARIO) {
    process.stdout.write(await labBatch(options));
    return 0;
  }
  const input = parseOptions(options);
  const { report } = options;
  // Fails before minutes of work, not after them. The page is also valid if the process is killed.
  if (report !== undefined) write(report, renderReport(emptySurvey(input)));
  const stopping = new AbortController();
  const stopListening = onInterrupt(() => stopping.abort());
  const bar = progressBar(openTerminal(process.stderr, process.env), input.scenario.name);
  let made: Survey;
  try {
    made = await survey({ ...input, signal: stopping.signal, onProgress: bar.show });
  } finally {
    bar.clear();
    stopListening();
  }
  if (report !== undefined) write(report, renderReport(made));
  print(made, options);
  return made.isWhole ? 0 : STOPPED;
}

function print(made: Survey, { json, report }: LabOptions): void {
  if (json === true) {
    process.stdout.write(`${figuresJson(made)}\n`);
    return;
  }
  const { columns, colours } = openTerminal(process.stdout, process.env);
  const lines = renderTable(made, columns, colours);
  process.stdout.write(`${lines.join("\n")}\n`);
  if (report !== undefined) process.stdout.write(`  Report: ${report}\n\n`);
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code ?? "unwritable";
    throw new InvalidInput("--report", file, `a file that can be written (${code})`);
  }
}
