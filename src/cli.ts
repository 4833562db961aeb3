#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { addAskCommand } from "./hosts/ask/ask-command.ts";
import { addChatCommand } from "./hosts/chat/chat-command.ts";
import { addCompletionCommand } from "./hosts/completion/completion-command.ts";
import { addConsoleCommand } from "./hosts/console/console-command.ts";
import { addDemoCommand } from "./hosts/demo/demo-command.ts";
import { addKeysCommand } from "./hosts/keys/keys-command.ts";
import { addLabCommand } from "./hosts/lab/lab-command.ts";
import { addModelsCommand } from "./hosts/models/models-command.ts";
import { addRpcCommand } from "./hosts/rpc/rpc-command.ts";
import { addSimCommand } from "./hosts/sim/sim-command.ts";
import { addWhyCommand } from "./hosts/why/why-command.ts";
import { InvalidInput } from "./kernel/model/invalid-input.ts";
import { maskSecrets } from "./terminal/mask-secrets.ts";

const HELP = `
Examples:
  secondwind chat
  secondwind demo
  secondwind ask 'Why is the sky blue?'
  secondwind console
  secondwind sim --weather storm
  secondwind why --status 429 --header 'retry-after: 30'
  curl -si https://api.example.com/… | secondwind why

Exit codes:
  0    good
  1    failed
  2    wrong usage
  130  cancelled

Colour follows NO_COLOR and FORCE_COLOR.
`;

function buildProgram(): Command {
  const done = (code: number): void => {
    process.exitCode = code;
  };
  const program = new Command("secondwind")
    .description(
      "Carries LLM generations through failures: rate limits, overloads, cut and stalled streams, used-up keys.",
    )
    .version(readVersion(), "-v, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print help for a command")
    .addHelpText("after", HELP)
    .showHelpAfterError("secondwind --help tells more.")
    // A mistyped command line may well have a key in it.
    .configureOutput({ outputError: (text, write) => write(maskSecrets(text.replace(/^error: /, "secondwind: "))) })
    .hook("preAction", (_, command) => {
      running = command.name();
    })
    .exitOverride();
  addWhyCommand(program, done);
  addDemoCommand(program, done);
  addSimCommand(program, done);
  addLabCommand(program, done);
  addModelsCommand(program, done);
  addKeysCommand(program, done);
  addChatCommand(program, done);
  addAskCommand(program, done);
  addConsoleCommand(program, done);
  addRpcCommand(program, done);
  addCompletionCommand(program, done);
  return program;
}

/** `../package.json` from `src/cli.ts` as well as from `dist/cli.js`. */
function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return String((manifest as { readonly version: unknown }).version);
}

/** They have something to save: when nobody reads any more they hear of it themselves, and come to an orderly end. */
const END_BY_THEMSELVES: ReadonlySet<string> = new Set(["rpc", "console", "chat"]);
let running = "";

/** Whoever reads may leave at any time (`| head`): that is their right, not an error. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (END_BY_THEMSELVES.has(running)) return;
  process.exit(error.code === "EPIPE" ? process.exitCode : 1);
});

/** Nobody hears what goes wrong: no reason to give up what goes well. */
process.stderr.on("error", () => undefined);

try {
  const program = buildProgram();
  if (process.argv.length <= 2) program.outputHelp();
  else await program.parseAsync();
} catch (fault) {
  process.exitCode = reportProblem(fault);
}

/** Says what is wrong, unless it was said already, and answers the exit code. */
function reportProblem(fault: unknown): number {
  if (fault instanceof CommanderError) return fault.exitCode === 0 ? 0 : 2;
  const message = fault instanceof Error ? fault.message : String(fault);
  process.stderr.write(maskSecrets(`secondwind: ${message}\n`));
  return fault instanceof InvalidInput ? 2 : 1;
}
