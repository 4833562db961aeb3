import { openAssembly } from "../../assembly/index.ts";
import { openTerminal } from "../../terminal/index.ts";
import { ReadlineInput } from "./console-input.ts";
import { ConsoleScreen } from "./console-screen.ts";
import { type ConsoleOptions, runConsole } from "./run-console.ts";

const CANCELLED = 130;

/** `secondwind console` on the real terminal. Returns the exit code. */
export async function openConsole(options: ConsoleOptions): Promise<number> {
  const { stdin, stdout, stderr, env } = process;
  const screen = new ConsoleScreen(openTerminal(stdout, env), openTerminal(stderr, env));
  const assembly = await openAssembly({ env, extensions: options.extension ?? [], worksWithoutStore: true });
  const input = new ReadlineInput(stdin, stdout);
  const interrupt = (): void => input.interrupt();
  // A hangup or shutdown wants an end, not a prompt: the exchange is cancelled, and the input ends.
  const leave = (): void => {
    input.interrupt();
    input.close();
  };
  let ended: number | undefined;
  const stop = (): void => {
    ended ??= CANCELLED;
    leave();
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", stop).on("SIGHUP", stop);
  let fault: Error | undefined;
  // The reader may leave (`| head`). No key could end a wait then, so the exchange is cancelled and recorded so.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (ended !== undefined || fault !== undefined) return;
    // A terminal that is gone: the signal that should come with it may be late.
    if (stdout.isTTY) return stop();
    // For example a full disk, if stdout is a file.
    if (error.code === "EPIPE") ended = 0;
    else fault = error;
    leave();
  });
  try {
    const code = await runConsole(options, { assembly, screen, input });
    if (fault !== undefined) throw fault;
    return ended ?? code;
  } catch (fault) {
    throw assembly.redact(fault);
  } finally {
    input.close();
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", stop).off("SIGHUP", stop);
    await assembly.close();
  }
}
