import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { median } from "./measure.ts";

/** Microseconds of CPU: what the bare model takes, and what each wrapper adds to it. */
export type Figures = Record<string, number>;
type Measured = Readonly<Record<"generate" | "stream" | "text", Figures>>;

export const BARE = "bare model";
const OURS = "secondwind";
const PEER = "ai-retry";

const USAGE = `Usage: npm run bench:ai-sdk -- [--processes N] [--rounds N]

What a wrapper adds to a model of the AI SDK that answers at once: CPU time, interleaved rounds, only the ratios mean anything.
How the compiler lays the code out is settled once for each process, so each figure is the median of several processes.

  --processes N   1 to 99 (default 7)
  --rounds N      3 to 99, in each process (default 5)

Exit code 1 if a figure that we promise is not reached.`;

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const all: Measured[] = [];
  for (let i = 1; i <= options.processes; i++) {
    process.stderr.write(`process ${i} of ${options.processes}\n`);
    all.push(await measure(options.rounds));
  }
  const isGood = [
    report("doGenerate that succeeds: added CPU", pick(all, "generate"), 0.25),
    report("doStream of 20 tokens, 24 parts, read by its reader: added CPU", pick(all, "stream"), 0.25),
  ].every(Boolean);
  reportWhole("the same through streamText, the whole call: CPU", pick(all, "text"));
  process.exitCode = isGood ? 0 : 1;
}

function readOptions(): { readonly processes: number; readonly rounds: number } | undefined {
  try {
    const { values } = parseArgs({ options: { processes: { type: "string" }, rounds: { type: "string" } } });
    const processes = Number(values.processes ?? 7);
    const rounds = Number(values.rounds ?? 5);
    const isRange = (value: number, least: number) => Number.isInteger(value) && value >= least && value <= 99;
    return isRange(processes, 1) && isRange(rounds, 3) ? { processes, rounds } : undefined;
  } catch {
    return undefined;
  }
}

async function measure(rounds: number): Promise<Measured> {
  const script = fileURLToPath(new URL("ai-sdk-process.ts", import.meta.url));
  const args = ["--no-warnings", "--import", "tsx", script, String(rounds)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Measured;
}

function pick(all: readonly Measured[], of: keyof Measured): readonly Figures[] {
  return all.map((measured) => measured[of]);
}

/** True: reached. */
function report(title: string, processes: readonly Figures[], atMost: number): boolean {
  console.log(title);
  const names = Object.keys(processes[0] ?? {}).filter((name) => name !== BARE);
  for (const name of names) {
    const us = median(processes.map((figures) => figures[name] ?? Number.NaN));
    const ratios = ratiosOf(processes, name);
    const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    console.log(`  ${name.padEnd(30)}${us.toFixed(2).padStart(9)} µs  ${median(ratios).toFixed(2)}×  (${range})`);
  }
  const isReached = median(ratiosOf(processes, OURS)) <= atMost;
  console.log(`  ${isReached ? "reached" : "MISSED"}: at most ${atMost}× ai-retry\n`);
  return isReached;
}

/** Not a promise: the SDK itself does hundreds of times as much, so what a wrapper adds is lost in the noise of the machine. */
function reportWhole(title: string, processes: readonly Figures[]): void {
  console.log(title);
  for (const name of Object.keys(processes[0] ?? {})) {
    const times = processes.map((figures) => {
      const bareUs = figures[BARE] ?? Number.NaN;
      return (bareUs + (name === BARE ? 0 : (figures[name] ?? Number.NaN))) / bareUs;
    });
    console.log(`  ${name.padEnd(30)}${median(times).toFixed(2).padStart(9)}× the bare model`);
  }
}

/** Both figures of a ratio are from the same process. */
function ratiosOf(processes: readonly Figures[], name: string): readonly number[] {
  return processes.map((figures) => (figures[name] ?? Number.NaN) / (figures[PEER] ?? Number.NaN));
}
