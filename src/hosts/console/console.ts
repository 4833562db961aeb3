import { openAssembly } from "../../assembly/index.ts";
import { openTerminal } from "../../terminal/index.ts";
import { ReadlineInput } from "./console-input.ts";
import { ConsoleScreen } from "./console-screen.ts";
import { type ConsoleOptions, runConsole } from "./run-console.ts";

/** `secondwind console` on the real terminal: answers its exit code. */
export async function openConsole(options: ConsoleOptions): Promise<number> {
  const { stdin, stdout, stderr, env } = process;
  const screen = new ConsoleScreen({ out: openTerminal(stdout, env), err: openTerminal(stderr, env) });
  const assembly = await openAssembly({ env });
  const input = new ReadlineInput({ input: stdin, output: stdout });
  const interrupt = (): void => input.interrupt();
  // Whoever hangs up or shuts down wants an end, not a prompt: the exchange is cancelled, and the input has ended.
  const leave = (): void => {
    input.interrupt();
    input.close();
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", leave).on("SIGHUP", leave);
  let isUnread = false;
  // Whoever reads may leave (`| head`). Nobody is left who could end a wait, so the exchange is cancelled, and kept as that.
  stdout.on("error", () => {
    if (isUnread) return;
    isUnread = true;
    leave();
  });
  try {
    const code = await runConsole(options, { assembly, screen, input });
    return isUnread ? 0 : code;
  } catch (fault) {
    throw assembly.redact(fault);
  } finally {
    input.close();
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", leave).off("SIGHUP", leave);
    await assembly.close();
  }
}
