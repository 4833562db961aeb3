import type { Command } from "commander";

export interface DescribedOption {
  /** `-m`, `--model`. */
  readonly flags: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
}

/** A command as a shell has to know it. */
export interface DescribedCommand {
  /** The words that lead to it, without the program's own name. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly options: readonly DescribedOption[];
  readonly children: readonly DescribedCommand[];
  /** What may stand for its first argument, where that is known. */
  readonly values: readonly string[];
}

/** The program as it really is: a command that is added is completed without a word here. */
export function describeProgram(command: Command, path: readonly string[] = []): DescribedCommand {
  const help = command.createHelp();
  return {
    path,
    summary: firstLine(command.summary() || command.description()),
    options: help.visibleOptions(command).map(({ short, long, description, required, optional }) => ({
      flags: [short, long].filter((flag) => flag !== undefined),
      description: firstLine(description),
      takesValue: required || optional,
    })),
    children: help.visibleCommands(command).map((child) => describeProgram(child, [...path, child.name()])),
    values: command.registeredArguments[0]?.argChoices ?? [],
  };
}

/** All of them, the program itself first. */
export function allCommands(command: DescribedCommand): readonly DescribedCommand[] {
  return [command, ...command.children.flatMap(allCommands)];
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}
