import { Argument, type Command } from "commander";

/**
 * Adds `help` to a command that already has all its other commands. Commander's own prints the main page for an unknown word,
 * without an error, and offers shells nothing to complete.
 */
export function addHelpCommand(parent: Command): void {
  const names = parent.commands.map((command) => command.name());
  parent
    .helpCommand(false)
    .command("help")
    .description("print help for a command")
    // The names are for completion; the words after them (`help keys add`) are looked up below.
    .addArgument(new Argument("[command...]", "the words that lead to it").choices(names).argParser(collect))
    .action((words: readonly string[] | undefined) => find(parent, words ?? []).help());
}

function collect(word: string, words: readonly string[] = []): readonly string[] {
  return [...words, word];
}

function find(parent: Command, words: readonly string[]): Command {
  let command = parent;
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) return parent.error(`error: unknown command '${words.join(" ")}'`);
    command = next;
  }
  return command;
}
