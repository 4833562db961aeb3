import { Command, CommanderError } from "commander";
import { addLabCommand } from "../../../src/hosts/lab/lab-command.ts";
import { InvalidInput } from "../../../src/kernel/index.ts";

/** `secondwind lab` alone, with the errors of `cli.ts`. */
try {
  const program = new Command("secondwind").exitOverride();
  addLabCommand(program, (code) => {
    process.exitCode = code;
  });
  await program.parseAsync();
} catch (fault) {
  if (!(fault instanceof CommanderError)) process.stderr.write(`secondwind: ${(fault as Error).message}\n`);
  process.exitCode = fault instanceof InvalidInput || fault instanceof CommanderError ? 2 : 1;
}
