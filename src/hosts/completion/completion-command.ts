import { Argument, type Command, InvalidArgumentError } from "commander";

const HELP = `
Examples:
  eval "$(secondwind completion bash)"     in ~/.bashrc
  eval "$(secondwind completion zsh)"      in ~/.zshrc, after compinit
  secondwind completion fish > ~/.config/fish/completions/secondwind.fish

Exit codes:
  0  printed
  2  wrong usage
`;

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** Adds `completion` to the program: it tells a shell what all the others take. */
export function addCompletionCommand(program: Command, done: (code: number) => void): void {
  program
    .command("completion")
    .summary("completion for bash, zsh or fish")
    .description("Prints a script that lets a shell complete commands and options.")
    .addArgument(new Argument("<shell>", "which one").choices(SHELLS).argParser(parseShell))
    .addHelpText("after", HELP)
    .action(async (shell: Shell) => {
      const { completion } = await import("./completion.ts");
      process.stdout.write(completion(shell, program));
      done(0);
    });
}

function parseShell(text: string): Shell {
  const shell = SHELLS.find((one) => one === text);
  if (shell === undefined) throw new InvalidArgumentError(`must be one of ${SHELLS.join(", ")}.`);
  return shell;
}
