import { allCommands, type DescribedCommand } from "./describe-program.ts";

/** Completion for fish: one line for each word that can be said. */
export function fishScript(program: DescribedCommand): string {
  const lines = allCommands(program).flatMap((command) => {
    const others = command.children.map(({ path }) => path.at(-1) ?? "");
    const here = conditionFor(command.path, others);
    return [
      ...command.children.map(({ path, summary }) => `${here} -f -a ${path.at(-1)} -d ${quote(summary)}`),
      ...command.options.map(({ flags, description, takesValue }) => {
        const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
        return `${here} ${names.join(" ")}${takesValue ? " -r" : ""} -d ${quote(description)}`;
      }),
    ];
  });
  return `# fish completion for secondwind: secondwind completion fish > ~/.config/fish/completions/secondwind.fish
${lines.join("\n")}
`;
}

/** After the words that lead here, and before one that leads further. */
function conditionFor(path: readonly string[], further: readonly string[]): string {
  const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
  const before = further.length === 0 ? [] : [`not __fish_seen_subcommand_from ${further.join(" ")}`];
  const all = [...seen, ...before];
  return all.length === 0 ? "complete -c secondwind" : `complete -c secondwind -n ${quote(all.join("; and "))}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
