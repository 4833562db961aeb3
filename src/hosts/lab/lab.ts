import { writeFileSync } from "node:fs";
import { InvalidInput } from "../../kernel/index.ts";
import { type Survey, survey } from "../../simulator/lab/index.ts";
import { openTerminal } from "../../terminal/index.ts";
import { figuresJson } from "./figures-json.ts";
import { type LabOptions, parseOptions } from "./parse-options.ts";
import { progressBar } from "./progress-bar.ts";
import { renderTable } from "./render-table.ts";
import { renderReport } from "./report/render-report.ts";

const STOPPED = 130;

/** `secondwind lab`: answers its exit code. Throws `InvalidInput` for what makes no sense. */
export async function lab(options: LabOptions): Promise<number> {
  const input = parseOptions(options);
  const { report } = options;
  // Found out before minutes of work, not after them. The same page is there if the process is killed.
  if (report !== undefined) write(report, renderReport(nothingYet(input)));
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, stop);
  const bar = progressBar(openTerminal(process.stderr, process.env), input.scenario.name);
  let made: Survey;
  try {
    made = await survey({ ...input, signal: stopping.signal, onProgress: bar.show });
  } finally {
    bar.clear();
    for (const signal of signals) process.off(signal, stop);
  }
  if (report !== undefined) write(report, renderReport(made));
  tell(made, options);
  return made.isWhole ? 0 : STOPPED;
}

function tell(made: Survey, { json, report }: LabOptions): void {
  if (json === true) {
    process.stdout.write(`${figuresJson(made)}\n`);
    return;
  }
  const { columns, colours } = openTerminal(process.stdout, process.env);
  const lines = renderTable({ survey: made, columns, colours });
  process.stdout.write(`${lines.join("\n")}\n`);
  if (report !== undefined) process.stdout.write(`  Report: ${report}\n\n`);
}

/** The survey before its first run. */
function nothingYet({
  scenario,
  policies,
  clients,
  seeds,
  firstSeed,
  replicas,
  outageMs,
}: ReturnType<typeof parseOptions>): Survey {
  return {
    scenario,
    clients,
    seeds,
    firstSeed,
    replicas,
    outageMs: outageMs ?? scenario.outageMs,
    policies: policies.map(({ name }) => ({ name, runs: 0, worst: undefined, bands: undefined })),
    outageFrom: 0,
    outageTo: 0,
    isWhole: false,
  };
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code ?? "unwritable";
    throw new InvalidInput("--report", file, `a file that can be written (${code})`);
  }
}
