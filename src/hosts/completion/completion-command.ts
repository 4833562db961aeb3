import { Argument, type Command } from "commander";

const HELP = `
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
    .description("Prints a shell script that completes commands and options.")
    .addArgument(new Argument("<shell>", "shell to print the script for").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", HELP)
    .action(async (shell: "bash" | "zsh" | "fish") => {
      const { completionScript } = await import("./completion-script.ts");
      process.stdout.write(completionScript(shell, program));
      done(0);
    });
}
