import { readFileSync } from "node:fs";
import { InvalidInput } from "../../kernel/index.ts";
import { InvalidScenario, type Simulator, startSimulator } from "../../simulator/http/index.ts";
import { openTerminal } from "../../terminal/index.ts";
import { introduce } from "./introduce.ts";
import { parseOptions, type SimOptions } from "./parse-options.ts";

/** `secondwind sim`: runs until it is told to end, and answers its exit code. */
export async function sim(options: SimOptions): Promise<number> {
  const simulator = await start(options);
  const terminal = openTerminal(process.stdout, process.env);
  for (const line of introduce(simulator, terminal.colours)) terminal.write(`${line}\n`);
  await untilInterrupted();
  await simulator.close();
  return 0;
}

async function start(options: SimOptions): Promise<Simulator> {
  try {
    return await startSimulator(parseOptions(options, (path) => readFileSync(path, "utf8")));
  } catch (fault) {
    if (fault instanceof InvalidScenario)
      throw new InvalidInput("--scenario", options.scenario, `a scenario (${fault.message})`);
    if (isTaken(fault))
      throw new Error(`port ${options.port} is taken: choose another with --port, or 0 for any free one`);
    throw fault;
  }
}

function isTaken(fault: unknown): boolean {
  return fault instanceof Error && "code" in fault && fault.code === "EADDRINUSE";
}

function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}
