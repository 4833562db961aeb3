import type { Entry, ListedCommand } from "./list-commands.ts";

/**
 * Completion for fish: one line per entry. Follows the words as the other scripts do, because fish's own
 * `__fish_seen_subcommand_from` finds a word anywhere, even as an option's value or in a question.
 */
export function fishScript(commands: readonly ListedCommand[]): string {
  const lines = commands.flatMap(({ path, entries }) => {
    const here = `complete -c secondwind -n ${quote(`__secondwind_at ${quote(spaced(path))}`)}`;
    return entries.map((entry) => `${here} ${describe(entry)}`);
  });
  const paths = commands.slice(1).map(({ path }) => quote(spaced(path)));
  return `# fish completion for secondwind: secondwind completion fish > ~/.config/fish/completions/secondwind.fish
function __secondwind_at
  set -l at
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${paths.join(" ")}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join("\n")}
`;
}

function describe({ words, description, takesValue }: Entry): string {
  const names = words.map((word) =>
    word.startsWith("--") ? `-l ${word.slice(2)}` : word.startsWith("-") ? `-s ${word.slice(1)}` : `-f -a ${word}`,
  );
  return `${names.join(" ")}${takesValue ? " -r" : ""} -d ${quote(description)}`;
}

/** A space before each word, as the loop in the script joins them. */
function spaced(path: readonly string[]): string {
  return path.map((word) => ` ${word}`).join("");
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
