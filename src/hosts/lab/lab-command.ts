import type { Command } from "commander";
import type { LabOptions } from "./parse-options.ts";

const HELP = `
Scenarios:
  fast-503         every call fails at once with 503, 60 s
  black-hole       90 % of all calls are lost, 60 s
  brownout         30 % fail, the rest take twice as long
  529-wave         overloaded in waves of 20 s
  flapping         down for 5 s, up for 5 s
  quota-cliff      half of the calls succeed, the rest get 429
  burst-429        two calls per client at once, a limit of
                   600 per minute for 1000 clients
                   (one person: ten calls, three a minute)
  slow-tokens      answers take six times as long
  regional-outage  one provider is gone, a second one works
  drizzle          5 % fail with 429, 503 or 529 and 1 % of
                   the connections break, all the time
  drizzle-hints    the same, each 429 with a hint of 1 s
  long-outage      every call fails with 503, 20 minutes
  thundering-start all clients start at the same moment
  slow-start       fast-503, then a minute to full capacity
  rate-limited-batch
                   3000 lines against a limit of 600 per
                   minute: paced as secondwind batch does
                   it, and 10 and 100 at a time. Only
                   --seeds, --first-seed and --json apply

Policies:
  default console patient session tavern background:
  the presets
  p-retry cockatiel aws-standard resilience4j: the usual
  settings of these packages
  none: a single call
  FILE: JSON with changes to the default policy

Figures, of all seeds together:
  amplification    calls per generation, from the start of
                   the outage
  peak             busiest second after the outage, divided
                   by the usual load (burst-429: by the
                   limit), in the worst seed
  recoverySeconds  until the service is back to normal, in
                   the worst seed; null: not within the run
  wasted           share of calls whose answer came after
                   the caller had given up
  failed           share of generations without an answer
  waitedSeconds    wait between calls, per generation
  served           answers during the outage, as a share of
                   what the provider could give; null: it
                   could give none
  p95Seconds       time within which 95 % of generations had
                   their answer; null: fewer got one
  worst            the worst of each over the seeds

  peak and recoverySeconds are null (in the table: –) below
  500 clients, where they are mostly chance, and in drizzle.

Examples:
  secondwind lab --scenario fast-503
  secondwind lab --scenario black-hole --compare default console
  secondwind lab --scenario flapping --report flapping.html
  secondwind lab --policy mine.json --seeds 50 --json

Exit codes:
  0    finished
  2    invalid usage
  130  interrupted; finished runs are still printed
`;

/** Adds `lab` to the program. Its modules are loaded only when it runs. */
export function addLabCommand(program: Command, done: (code: number) => void): void {
  program
    .command("lab")
    .summary("run a policy through an outage, in virtual time")
    .description(
      "Runs a policy through an outage with many clients and the real engine, in virtual time. Shows the load on the provider and how long clients wait.",
    )
    .option("-s, --scenario <name>", "the outage", "black-hole")
    .option("-p, --policy <name|file>", "a policy by name, or a JSON file (default: default)")
    .option("-c, --compare <policies...>", "two to eight policies side by side")
    .option("--clients <n>", "number of clients, 1 to 20000", "1000")
    .option("--seeds <n>", "number of runs with different random seeds, 1 to 1000", "5")
    .option("--first-seed <n>", "the seed of the first run", "1")
    .option("--replicas <n>", "processes that share the clients; each has its own health", "1")
    .option("--shared", "the processes share their health, as with REDIS_URL (policies with a health of ours)")
    .option("--outage <seconds>", "how long the outage lasts, 1 to 86400 (default: depends on the scenario)")
    .option("--report <file>", "write an HTML report with charts")
    .option("--json", "print the figures as JSON")
    .addHelpText("after", HELP)
    .action(async (options: LabOptions) => {
      const { lab } = await import("./lab.ts");
      done(await lab(options));
    });
}
