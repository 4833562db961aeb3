import type { Command } from "commander";

const HELP = `
Behaviour, by the name of the model that is asked for:
  ok  echo  empty  overflow  quota  down  silent
  stall-<tokens>  cut-<tokens>  rate-limited-<hint ms>
  overloaded-twice  rate-limited-once  fault-<n>-<k>
  A name with @3 behaves so three times, then well.
Any other model meets the scenario, or else the weather:
  calm     everything is answered
  drizzle  some 429 and 529
  storm    outages, stalls, cut and reset connections
  quota    keys run dry

While it runs:
  curl -d '{"weather":"storm"}' URL/_sim/weather
  curl URL/_sim/requests
  curl -X POST URL/_sim/reset

Examples:
  secondwind sim
  secondwind sim --weather drizzle --seed 7
  secondwind sim --scenario outage.json --time-scale 0.1

Exit codes:
  0  ended by Ctrl-C
  1  could not start, e.g. because the port is taken
  2  wrong usage, or a scenario that makes no sense
`;

/** Adds `sim` to the program. What it needs is loaded only when it runs. */
export function addSimCommand(program: Command, done: (code: number) => void): void {
  program
    .command("sim")
    .summary("simulated providers on this machine, in any weather")
    .description(
      "Simulated OpenAI, Anthropic and Gemini endpoints on loopback, which fail as the real ones do: by model name, by scenario, or by weather.",
    )
    .option("--port <n>", "where to listen; 0 for any free port", "4010")
    .option("--weather <name>", "calm, drizzle, storm or quota")
    .option("--seed <n>", "the same seed gives the same texts and the same weather")
    .option("--scenario <file>", "a JSON file that says what each model does")
    .option("--time-scale <x>", "multiplies all waits: 0.1 is ten times as fast")
    .addHelpText("after", HELP)
    .action(async (options: object) => {
      const { sim } = await import("./sim.ts");
      done(await sim(options));
    });
}
