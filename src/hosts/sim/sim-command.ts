import type { Command } from "commander";
import type { SimOptions } from "./parse-options.ts";

const HELP = `
The model's name selects the behaviour:
  ok  echo  empty  overflow  quota  down  silent
  stall-<tokens>  cut-<tokens>  rate-limited-<hint ms>
  overloaded-twice  rate-limited-once  fault-<n>-<k>
  down@3: three times, then normal answers
Other models follow the scenario, or else the weather:
  calm     every request succeeds
  drizzle  some 429 and 503 or 529
  storm    outages, stalls, cut and reset connections
  quota    keys run out of quota

While it runs:
  curl -d '{"weather":"storm"}' URL/_sim/weather
  curl URL/_sim/requests
  curl -X POST URL/_sim/reset

Examples:
  secondwind sim
  secondwind sim --weather drizzle --seed 7
  secondwind sim --scenario outage.json --time-scale 0.1

Exit codes:
  0  stopped with Ctrl-C
  1  could not start, for example because the port is in use
  2  invalid usage, or an invalid scenario
`;

/** Adds `sim` to the program. Its modules are loaded only when it runs. */
export function addSimCommand(program: Command, done: (code: number) => void): void {
  program
    .command("sim")
    .summary("start simulated providers on this machine")
    .description(
      "Starts simulated OpenAI, Anthropic and Gemini endpoints on loopback. They fail like the real ones, depending on the model name, a scenario or the weather.",
    )
    .option("--port <n>", "port to listen on; 0 for any free port", "4010")
    .option("--weather <name>", "calm, drizzle, storm or quota")
    .option("--seed <n>", "the same seed gives the same texts and weather")
    .option("--scenario <file>", "JSON file with the behaviour of each model")
    .option("--time-scale <x>", "multiplies all waits: 0.1 is ten times faster")
    .addHelpText("after", HELP)
    .action(async (options: SimOptions) => {
      const { sim } = await import("./sim.ts");
      done(await sim(options));
    });
}
