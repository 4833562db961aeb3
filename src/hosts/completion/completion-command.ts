import { Argument, type Command } from "commander";

const HELP = `
Values such as models and conversations are looked up when you
press Tab.

Examples:
  eval "$(secondwind completion bash)"     in ~/.bashrc
  eval "$(secondwind completion zsh)"      in ~/.zshrc, after compinit
  secondwind completion fish > ~/.config/fish/completions/secondwind.fish

Exit codes:
  0  success
  2  invalid usage
`;

/** Adds `completion` to the program. */
export function addCompletionCommand(program: Command, done: (code: number) => void): void {
  program
    .command("completion")
    .summary("print a completion script for bash, zsh or fish")
    .description("Prints a shell script that completes commands, options and values.")
    .addArgument(new Argument("<shell>", "shell to print the script for").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", HELP)
    .action(async (shell: "bash" | "zsh" | "fish") => {
      const { completionScript } = await import("./completion-script.ts");
      process.stdout.write(completionScript(shell, program));
      done(0);
    });
  program
    // For the scripts alone: it may change with them.
    .command("complete", { hidden: true })
    .argument("<values>")
    .action(async (what: string) => {
      const [{ LOOKED_UP }, { lookUp }] = await Promise.all([import("./values.ts"), import("./look-up.ts")]);
      const known = LOOKED_UP.find((one) => one === what);
      if (known !== undefined) process.stdout.write(await lookUp(known, process.env));
      done(0);
    });
}
