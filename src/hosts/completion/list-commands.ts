import type { Command } from "commander";

/** A subcommand, a value of the first argument, or an option with its flags. */
export interface Entry {
  readonly words: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
}

/** A command and what may follow it. */
export interface ListedCommand {
  /** The words that lead to it, without the program's own name. */
  readonly path: readonly string[];
  readonly entries: readonly Entry[];
}

/** All commands of the program, itself first, as commander knows them: a new command is completed without a change here. */
export function listCommands(command: Command, path: readonly string[] = []): readonly ListedCommand[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command);
  const entries = [
    ...children.map((child) => entry([child.name()], child.summary() || child.description())),
    ...(command.registeredArguments[0]?.argChoices ?? []).map((value) => entry([value], "")),
    ...help.visibleOptions(command).map(({ short, long, description, required, optional }) => {
      const flags = [short, long].filter((flag) => flag !== undefined);
      return entry(flags, description, required || optional);
    }),
  ];
  return [{ path, entries }, ...children.flatMap((child) => listCommands(child, [...path, child.name()]))];
}

function entry(words: readonly string[], text: string, takesValue = false): Entry {
  return { words, description: text.split("\n")[0] ?? "", takesValue };
}
