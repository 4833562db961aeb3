import type { Command } from "commander";
import { argumentsOf, type Values, valuesOf } from "./values.ts";

/** A subcommand, a value of the first argument, or an option with its flags. */
export interface Entry {
  readonly words: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  /** What the value may be, if that is known. */
  readonly values?: Values;
}

/** A command and what may follow it. */
export interface ListedCommand {
  /** The words that lead to it, without the program's own name. */
  readonly path: readonly string[];
  readonly entries: readonly Entry[];
  /** What its first argument may be, if that has to be looked up. */
  readonly values?: Values;
}

/** All commands of the program, itself first, as commander knows them: a new command is completed without a change here. */
export function listCommands(command: Command, path: readonly string[] = []): readonly ListedCommand[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command);
  const entries = [
    ...children.map((child) => entry([child.name()], child.summary() || child.description())),
    ...(command.registeredArguments[0]?.argChoices ?? []).map((value) => entry([value], "")),
    ...help.visibleOptions(command).map(({ short, long, description, required, optional }): Entry => {
      const flags = [short, long].filter((flag) => flag !== undefined);
      const values = long === undefined || long === null ? undefined : valuesOf(path, long);
      return { ...entry(flags, description, required || optional), ...(values !== undefined && { values }) };
    }),
  ];
  const values = argumentsOf(path);
  const here = { path, entries, ...(values !== undefined && { values }) };
  return [here, ...children.flatMap((child) => listCommands(child, [...path, child.name()]))];
}

function entry(words: readonly string[], text: string, takesValue = false): Entry {
  return { words, description: text.split("\n")[0] ?? "", takesValue };
}
