import type { Command } from "commander";

const EXIT_CODES = `
Exit codes:
  0    done
  1    the jobs cannot be opened, or the job does not exist or is
       in another state
  2    invalid usage
`;

const HELP = `
A job is a generation that was accepted and is finished whatever
happens to the process: secondwind serve accepts jobs (POST /jobs),
and runs them, like secondwind work. See docs/jobs.md.

Jobs are kept in jobs.db beside the store, or in the Redis of
REDIS_URL.

Examples:
  secondwind jobs list
  secondwind jobs list --state waiting
  secondwind jobs show ID
  secondwind jobs retry ID
${EXIT_CODES}
Environment:
  REDIS_URL  the Redis of the jobs; without it: jobs.db
  SECONDWIND_HOME
             folder of the store
`;

/** Adds `jobs` to the program. Its code is loaded only when it runs. */
export function addJobsCommand(program: Command, done: (code: number) => void): void {
  const jobs = program
    .command("jobs")
    .summary("list, show, cancel and retry jobs")
    .description("Shows and changes the jobs of this machine, or those in Redis.")
    .addHelpText("after", HELP);
  jobs
    .command("list")
    .summary("list jobs, the newest first")
    .description("Lists jobs, the newest first, and how many are in each state.")
    .option("--state <name>", "only those: accepted, running, waiting, done, failed or cancelled")
    .option("--group <name>", "only those of a group, such as a batch")
    .option("--limit <n>", "at most so many, 1 to 1000", "20")
    .option("--json", "one JSON object per line")
    .addHelpText("after", EXIT_CODES)
    .action(async (options: object) => {
      const { listCommand } = await import("./jobs.ts");
      done(await listCommand(options));
    });
  jobs
    .command("poison")
    .summary("list the jobs whose workers died again and again")
    .description("Lists the jobs that were given up because each worker that ran them died. retry starts one anew.")
    .option("--limit <n>", "at most so many, 1 to 1000", "20")
    .option("--json", "one JSON object per line")
    .addHelpText("after", EXIT_CODES)
    .action(async (options: object) => {
      const { listCommand } = await import("./jobs.ts");
      done(await listCommand({ ...options, isPoison: true }));
    });
  jobs
    .command("show")
    .summary("show a job and its result")
    .description("Shows one job: where it stands, what happened to it, and its answer if it is done.")
    .argument("<id>", "as shown by list")
    .option("--json", "as JSON, with the request")
    .addHelpText("after", EXIT_CODES)
    .action(async (id: string, options: object) => {
      const { showCommand } = await import("./jobs.ts");
      done(await showCommand(id, options));
    });
  jobs
    .command("cancel")
    .summary("cancel jobs")
    .description("Cancels jobs that are not final. A call that is running is aborted.")
    .argument("<id...>", "as shown by list")
    .addHelpText("after", EXIT_CODES)
    .action(async (ids: readonly string[]) => {
      const { changeCommand } = await import("./jobs.ts");
      done(await changeCommand("cancel", ids));
    });
  jobs
    .command("retry")
    .summary("end the wait of jobs, or start failed ones anew")
    .description("A job that waits goes on at once. One that failed or was cancelled is started anew.")
    .argument("<id...>", "as shown by list")
    .addHelpText("after", EXIT_CODES)
    .action(async (ids: readonly string[]) => {
      const { changeCommand } = await import("./jobs.ts");
      done(await changeCommand("retryNow", ids));
    });
}
