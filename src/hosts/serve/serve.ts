import { onInterrupt, openTerminal } from "../../terminal/index.ts";
import { buildServer } from "./build-server.ts";
import { announcer } from "./command/announce.ts";
import { logGenerations } from "./command/log-generations.ts";
import { canOpenBrowser, openBrowser } from "./command/open-browser.ts";
import { parseOptions, type ServeOptions } from "./command/parse-options.ts";

const CANCELLED = 130;

/** `secondwind serve`: runs until it is interrupted. Returns the exit code. */
export async function serve(given: ServeOptions, version: string): Promise<number> {
  const { env, stdout } = process;
  const options = parseOptions(given, env);
  const server = await buildServer({ ...options, env, version });
  const terminal = openTerminal(stdout, env);
  const { started, stopping } = announcer(options, terminal);
  started(server);
  if (!options.isQuiet) logGenerations(server.activity, options.log, terminal.write);
  if (options.opensBrowser && canOpenBrowser(process)) openBrowser(server.url);
  await new Promise<void>((resolve) => onInterrupt(resolve));
  // A second signal: what is running is stored as interrupted when the next process finds it.
  onInterrupt(() => process.exit(CANCELLED));
  stopping(server.runningTurns);
  await server.stop(options.drainMs);
  return 0;
}
