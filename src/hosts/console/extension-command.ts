import type { ConsoleInput } from "./console-input.ts";
import type { Talk } from "./talk.ts";

/** Runs a slash command of an extension; Ctrl-C cancels it. Undefined: it is none. */
export async function runExtensionCommand(
  { session, screen }: Talk,
  line: string,
  input: ConsoleInput,
): Promise<"done" | "failed" | "cancelled" | undefined> {
  const [, name = "", args = ""] = /^\/(\S+)\s*([\s\S]*)$/.exec(line) ?? [];
  if (!session.commands.some((command) => command.name === name)) return undefined;
  const controller = new AbortController();
  input.listen({ interrupt: () => controller.abort(), line: () => false });
  try {
    const output = await session.runCommand(name, args, controller.signal);
    if (output !== "") screen.say(output.split("\n"));
    return "done";
  } catch (fault) {
    screen.error(fault instanceof Error ? fault.message : String(fault));
    return controller.signal.aborted ? "cancelled" : "failed";
  } finally {
    input.listen(undefined);
  }
}
