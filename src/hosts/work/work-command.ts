import type { Command } from "commander";

const HELP = `
Takes jobs that secondwind serve, secondwind batch or a program
(secondwind/jobs) submitted, and runs them. Start as many workers
as you like: on one machine they share jobs.db beside the store,
with REDIS_URL any number of machines share a Redis. See
docs/jobs.md and docs/scale.md.

Ctrl-C or SIGTERM: takes no more jobs, lets running ones finish for
--drain seconds and hands the rest to other workers. A second
signal ends at once; other workers take its jobs after some seconds.

Examples:
  secondwind work
  REDIS_URL=redis://10.0.0.5:6379 secondwind work --concurrency 200

Exit codes:
  0    stopped
  1    the jobs cannot be opened
  2    invalid usage
  130  ended by a second signal

Environment:
  REDIS_URL  the Redis of the jobs; without it: jobs.db
  SECONDWIND_REDIS_MAY_FORGET=1
             accept a Redis that does not write to the disk
  SECONDWIND_HOME
             folder of the store
`;

/** Adds `work` to the program. Its code is loaded only when it runs. */
export function addWorkCommand(program: Command, done: (code: number) => void): void {
  program
    .command("work")
    .summary("run jobs until it is stopped")
    .description("Runs jobs from the store of this machine, or from Redis, until it is stopped.")
    .option("--concurrency <n>", "jobs at the same time, 1 to 10000; waiting jobs do not count", "50")
    .option("--drain <seconds>", "how long running jobs may finish after SIGTERM", "30")
    .option("--quiet", "print no line for each job")
    .option("--weather <name>", "of the simulated provider: calm, drizzle, storm or quota")
    .option("--seed <n>", "of the simulated provider: the same seed gives the same weather")
    .option("--time-scale <x>", "of the simulated provider: 0.1 is ten times faster")
    .addHelpText("after", HELP)
    .action(async (options: object) => {
      const { work } = await import("./work.ts");
      done(await work(options));
    });
}
