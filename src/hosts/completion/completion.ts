import type { Command } from "commander";
import { bashScript } from "./bash-script.ts";
import { describeProgram } from "./describe-program.ts";
import { fishScript } from "./fish-script.ts";
import { zshScript } from "./zsh-script.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** The script for a shell, from the program as it is. */
export function completion(shell: keyof typeof SCRIPTS, program: Command): string {
  return SCRIPTS[shell](describeProgram(program));
}
