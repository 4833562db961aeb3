import { allCommands, type DescribedCommand } from "./describe-program.ts";

/**
 * Completion for fish: one line for each word that can be said. Fish's own `__fish_seen_subcommand_from` looks for a word anywhere,
 * also where it is an option's value or a part of a question; so the walk is the one of the other shells.
 */
export function fishScript(program: DescribedCommand): string {
  const lines = allCommands(program).flatMap(({ path, children, values, options }) => {
    const here = `complete -c secondwind -n ${quote(`__secondwind_at ${quote(spaced(path))}`)}`;
    return [
      ...children.map((child) => `${here} -f -a ${child.path.at(-1)} -d ${quote(child.summary)}`),
      ...(values.length === 0 ? [] : [`${here} -f -a ${quote(values.join(" "))}`]),
      ...options.map(({ flags, description, takesValue }) => {
        const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
        return `${here} ${names.join(" ")}${takesValue ? " -r" : ""} -d ${quote(description)}`;
      }),
    ];
  });
  const paths = allCommands(program).flatMap(({ path }) => (path.length === 0 ? [] : [quote(spaced(path))]));
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

/** As the walk puts them together: a space before each. */
function spaced(path: readonly string[]): string {
  return path.map((word) => ` ${word}`).join("");
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
