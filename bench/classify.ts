import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { classify } from "../src/kernel/classify/classify.ts";
import { cpuNs, quiet } from "./measure.ts";
import { sdkErrors } from "./sdk-errors.ts";

const USAGE = `Usage: npm run bench:classify -- [--against DIR] [--rounds N]

What it costs to classify typical errors of SDKs, each with words of its own, beside a floor: the body written and parsed
as JSON once. CPU time, interleaved rounds; only the ratios mean anything.

  --against DIR   another checkout, measured in the same run; exit code 1 if this one costs over 1.5 times as much
  --rounds N      default 12

Exit code 1 if the mean ratio to the floor is over 12.`;

/** Measured at 3 to 6; the rest is room for a noisy machine. */
const MOST_FLOORS = 12;
const MOST_TIMES = 1.5;
const ERRORS = 3_000;

type Classify = (problem: unknown) => unknown;

const args = process.argv.slice(2);
if (args.includes("--help")) process.stdout.write(`${USAGE}\n`);
else await main();

async function main(): Promise<void> {
  const rounds = Number(optionValue("--rounds") ?? 12);
  const against = optionValue("--against");
  const other = against === undefined ? undefined : await load(against);
  const ratios: number[] = [];
  let isDearer = false;
  for (const [name, errors] of Object.entries(sdkErrors(ERRORS))) {
    const runs: Record<string, Classify> = { floor: writeAndParse, now: classify, ...(other && { other }) };
    const { floor = 0, now = 0, other: before } = measure(runs, errors, rounds);
    ratios.push(now / floor);
    const beside = before === undefined ? "" : `, ${(now / before).toFixed(2)} times the other checkout`;
    if (before !== undefined && now / before > MOST_TIMES) isDearer = true;
    process.stdout.write(`${name}: ${(now / 1000).toFixed(2)} µs, ${(now / floor).toFixed(1)} floors${beside}\n`);
  }
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  process.stdout.write(`mean: ${mean.toFixed(1)} floors, at most ${MOST_FLOORS}\n`);
  process.exitCode = mean > MOST_FLOORS || isDearer ? 1 : 0;
}

/** Nanoseconds of CPU time for one error, by name. */
function measure(runs: Readonly<Record<string, Classify>>, errors: readonly unknown[], rounds: number) {
  const samples: Record<string, number[]> = {};
  const entries = Object.entries(runs);
  for (let round = 0; round < rounds; round++) {
    // Another one goes first in each round: each one pays for the garbage of the one before it.
    const first = round % entries.length;
    for (const [name, run] of [...entries.slice(first), ...entries.slice(0, first)]) {
      const start = cpuNs();
      for (const error of errors) run(error);
      samples[name] = [...(samples[name] ?? []), (cpuNs() - start) / errors.length];
    }
  }
  return Object.fromEntries(Object.entries(samples).map(([name, times]) => [name, quiet(times)]));
}

function writeAndParse(problem: unknown): unknown {
  const { message, error, cause } = problem as { message: string; error?: unknown; cause?: Error };
  return JSON.parse(JSON.stringify({ message, error, cause: cause?.message }));
}

async function load(folder: string): Promise<Classify> {
  const path = pathToFileURL(resolve(folder, "src/kernel/classify/classify.ts")).href;
  return ((await import(path)) as { classify: Classify }).classify;
}

function optionValue(option: string): string | undefined {
  const at = args.indexOf(option);
  return at === -1 ? undefined : args[at + 1];
}
