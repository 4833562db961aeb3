import type { Command } from "commander";
import { bashScript } from "./bash-script.ts";
import { fishScript } from "./fish-script.ts";
import { listCommands } from "./list-commands.ts";
import { zshScript } from "./zsh-script.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export function completionScript(shell: keyof typeof SCRIPTS, program: Command): string {
  return SCRIPTS[shell](listCommands(program));
}
