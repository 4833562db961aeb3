import { openAssembly, openJobsOf, runnerParts } from "../../assembly/index.ts";
import { type Job, type JobRunner, jobRunner, type Verdict } from "../../jobs/index.ts";
import { checkOneOf } from "../../kernel/index.ts";
import { type SimulatorOptions, WEATHERS } from "../../simulator/http/index.ts";
import { BOUNDS } from "../../simulator/http/server/check-options.ts";
import { cleanText, onInterrupt, openTerminal, sayDuration } from "../../terminal/index.ts";
import { parseNumber } from "../../terminal/parse-number.ts";

/** The options of `secondwind work`, as commander gives them. */
interface WorkOptions {
  readonly concurrency?: string;
  readonly drain?: string;
  readonly quiet?: boolean;
  readonly weather?: string;
  readonly seed?: string;
  readonly timeScale?: string;
}

const CANCELLED = 130;

/** `secondwind work`: runs jobs until it is interrupted. Returns the exit code. */
export async function work(options: WorkOptions): Promise<number> {
  const { env, stdout } = process;
  const concurrency = parseNumber("--concurrency", options.concurrency ?? "50", { min: 1, max: 10_000, integer: true });
  const drainMs = parseNumber("--drain", options.drain ?? "30", { min: 0, max: 86_400 }) * 1000;
  const simulator = simulatorOf(options);
  const assembly = await openAssembly({ env, simulator, worksWithoutStore: env.REDIS_URL !== undefined });
  const terminal = openTerminal(stdout, env);
  try {
    const jobs = await openJobsOf(assembly, env);
    const run = jobRunner(runnerParts(assembly, env));
    const say = (line: string): void => terminal.write(`${line}\n`);
    const worker = jobs.work(options.quiet === true ? run : logged(run, say), { concurrency });
    const place = env.REDIS_URL ? "Redis" : "jobs.db";
    const { accepted, waiting } = await jobs.counts();
    say(`Taking jobs from ${place}, ${concurrency} at a time: ${accepted} accepted, ${waiting} waiting. Ctrl-C stops.`);
    await new Promise<void>((resolve) => onInterrupt(resolve));
    onInterrupt(() => process.exit(CANCELLED));
    if (worker.running > 0) {
      say(
        `Stopping. Waiting up to ${drainMs / 1000} s for ${worker.running} running jobs. Press Ctrl-C again to stop now.`,
      );
    }
    await worker.close({ drainMs });
    await jobs.close();
    return 0;
  } finally {
    await assembly.close();
  }
}

function simulatorOf({ weather, seed, timeScale }: WorkOptions): Omit<SimulatorOptions, "port"> {
  return {
    ...(weather !== undefined && { weather: checkOneOf("--weather", weather, WEATHERS) }),
    ...(seed !== undefined && { seed: parseNumber("--seed", seed, BOUNDS.seed) }),
    ...(timeScale !== undefined && { timeScale: parseNumber("--time-scale", timeScale, BOUNDS.timeScale) }),
  };
}

/** One line for each delivery that has ended. */
function logged(run: JobRunner, say: (line: string) => void): JobRunner {
  return async (delivery) => {
    const verdict = await run(delivery);
    if (verdict.type !== "released") say(sayVerdict(delivery.job, verdict));
    return verdict;
  };
}

function sayVerdict({ id, model }: Job, verdict: Exclude<Verdict, { type: "released" }>): string {
  const { receipt } = verdict;
  const tries = receipt.attempts === 1 ? "1 attempt" : `${receipt.attempts} attempts`;
  const head = `${id}  ${cleanText(model)}`;
  if (verdict.type === "done") return `${head}  done after ${tries}`;
  const message = cleanText(verdict.failure.message).slice(0, 120);
  if (verdict.type === "failed") return `${head}  failed after ${tries}: ${message}`;
  return `${head}  waits ${sayDuration(Math.max(0, verdict.saved.until - Date.now()))} after ${tries}: ${message}`;
}
