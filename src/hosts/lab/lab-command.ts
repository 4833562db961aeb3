import type { Command } from "commander";

const HELP = `
Scenarios:
  fast-503         every call is refused at once, 60 s
  black-hole       90 % of all calls get lost, 60 s
  brownout         30 % refused, the rest twice as slow
  529-wave         overloaded in waves of 20 s
  flapping         down for 5 s, well for 5 s
  quota-cliff      half of the calls, then 429 with a hint
  slow-tokens      answers take six times as long
  regional-outage  one provider is gone, a second stays well

Policies:
  default console patient session tavern background, the
  presets;
  p-retry and cockatiel, their usual settings;
  none, a single call; or a JSON file with changes to the
  default policy, as resilient() takes them.

Figures, the worst over the seeds:
  amplification    calls for each generation, from the start
                   of the outage
  peak             busiest second after the outage, as a
                   multiple of the steady load
  recoverySeconds  until all is as before; null: not within
                   two minutes
  wasted           share of calls whose answer came when
                   nobody waited for it any more

Examples:
  secondwind lab --scenario fast-503
  secondwind lab --scenario black-hole --compare default console
  secondwind lab --scenario flapping --report flapping.html
  secondwind lab --policy mine.json --seeds 50 --json

Exit codes:
  0    done
  2    wrong usage
  130  stopped; what was finished is still printed
`;

/** Adds `lab` to the program. What it needs is loaded only when it runs. */
export function addLabCommand(program: Command, done: (code: number) => void): void {
  program
    .command("lab")
    .summary("run a policy through an outage, on virtual time")
    .description(
      "Runs a policy through an outage with many clients and the real engine, on virtual time: what it does to the provider and to those who wait.",
    )
    .option("-s, --scenario <name>", "the outage to live through", "black-hole")
    .option("-p, --policy <name|file>", "the policy, by name or as a JSON file (default: default)")
    .option("-c, --compare <policies...>", "two to four policies side by side")
    .option("--clients <n>", "clients, 1 to 20000", "1000")
    .option("--seeds <n>", "runs with different chance, 1 to 1000", "5")
    .option("--first-seed <n>", "the seed of the first run", "1")
    .option("--replicas <n>", "processes that the clients are spread over, each with a health of its own", "1")
    .option("--outage <seconds>", "how long the outage lasts, 1 to 86400 (default: as the scenario says)")
    .option("--report <file>", "write an HTML report with charts")
    .option("--json", "the figures as JSON instead of the table")
    .addHelpText("after", HELP)
    .action(async (options: object) => {
      const { lab } = await import("./lab.ts");
      done(await lab(options));
    });
}
