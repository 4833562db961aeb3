import type { Entry, ListedCommand } from "./list-commands.ts";
import type { Values } from "./values.ts";

/**
 * Completion for fish: one line per entry. Follows the words as the other scripts do, because fish's own
 * `__fish_seen_subcommand_from` finds a word anywhere, even as an option's value or in a question.
 */
export function fishScript(commands: readonly ListedCommand[]): string {
  const lines = commands.flatMap(({ path, entries, values }) => {
    const here = `complete -c secondwind -n ${quote(`__secondwind_at ${quote(spaced(path))}`)}`;
    return [
      ...entries.map((entry) => `${here} ${describe(entry)}`),
      ...(values === undefined ? [] : [`${here} -f -a ${quote(wordsOf(values))}`]),
    ];
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
function __secondwind_look_up
  set -l typed (commandline -opc)
  $typed[1] complete $argv[1] 2>/dev/null </dev/null
end
${lines.join("\n")}
`;
}

function describe({ words, description, takesValue, values }: Entry): string {
  const names = words.map((word) =>
    word.startsWith("--") ? `-l ${word.slice(2)}` : word.startsWith("-") ? `-s ${word.slice(1)}` : `-f -a ${word}`,
  );
  const value = values === undefined ? "" : `${values.orFile === true ? "" : " -f"} -a ${quote(wordsOf(values))}`;
  return `${names.join(" ")}${takesValue ? " -r" : ""}${value} -d ${quote(description)}`;
}

function wordsOf({ words = [], lookUp }: Values): string {
  return [...words, ...(lookUp === undefined ? [] : [`(__secondwind_look_up ${lookUp})`])].join(" ");
}

/** A space before each word, as the loop in the script joins them. */
function spaced(path: readonly string[]): string {
  return path.map((word) => ` ${word}`).join("");
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
