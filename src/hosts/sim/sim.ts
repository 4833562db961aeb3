import { InvalidInput } from "../../kernel/index.ts";
import { InvalidScenario, type Simulator, startSimulator } from "../../simulator/http/index.ts";
import { onInterrupt, openTerminal } from "../../terminal/index.ts";
import { introduce } from "./introduce.ts";
import { parseOptions, type SimOptions } from "./parse-options.ts";

/** `secondwind sim`: runs until it is interrupted. Returns the exit code. */
export async function sim(options: SimOptions): Promise<number> {
  const simulator = await start(options);
  const terminal = openTerminal(process.stdout, process.env);
  for (const line of introduce(simulator, terminal.colours)) terminal.write(`${line}\n`);
  await new Promise<void>((resolve) => onInterrupt(resolve));
  await simulator.close();
  return 0;
}

async function start(options: SimOptions): Promise<Simulator> {
  try {
    return await startSimulator(parseOptions(options));
  } catch (fault) {
    if (fault instanceof InvalidScenario)
      throw new InvalidInput("--scenario", options.scenario, `a valid scenario (${fault.message})`);
    if (fault instanceof Error && "code" in fault && fault.code === "EADDRINUSE")
      throw new Error(`Port ${options.port} is in use. Choose another with --port, or 0 for any free port.`);
    throw fault;
  }
}
