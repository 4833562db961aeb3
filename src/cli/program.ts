import { Command, CommanderError } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { InvalidInput } from "../kernel/model/invalid-input.ts";
import { cleanText } from "../terminal/clean-text.ts";
import { maskSecrets } from "../terminal/mask-secrets.ts";
import { shownWord } from "../terminal/shown-word.ts";
import { addHelpCommand } from "./help-command.ts";

const HELP = `
Examples:
  secondwind serve
  secondwind chat
  secondwind demo
  secondwind ask 'Why is the sky blue?'
  secondwind console
  secondwind batch prompts.jsonl -o answers.jsonl
  secondwind embed texts.jsonl
  secondwind sim --weather storm
  secondwind why --status 429 --header 'retry-after: 30'
  curl -si https://api.example.com/… | secondwind why

Exit codes:
  0    success
  1    failed
  2    invalid usage
  130  cancelled

NO_COLOR and FORCE_COLOR are respected.
`;

/** Adds one command to the program. */
export type AddCommand = (program: Command, done: (code: number) => void) => void;

/** Runs the command line. Prints an error and sets the exit code if it fails. */
export async function runProgram(commands: readonly AddCommand[]): Promise<void> {
  process.stdout.on("error", leave);
  // A closed stderr must not end a command that works.
  process.stderr.on("error", () => undefined);
  try {
    const program = buildProgram(commands);
    if (process.argv.length <= 2) program.outputHelp();
    else await program.parseAsync();
  } catch (fault) {
    process.exitCode = reportProblem(fault);
  }
}

function buildProgram(commands: readonly AddCommand[]): Command {
  const done = (code: number): void => {
    process.exitCode = code;
  };
  const program = new Command("secondwind")
    .description(
      "Retries, falls back and waits until an LLM generation succeeds: rate limits, overloads, stalled streams, exhausted keys.",
    )
    .version(manifest.version, "-v, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .addHelpText("after", HELP)
    .showHelpAfterError("See: secondwind --help")
    // A mistyped command line may contain a key.
    .configureOutput({
      outputError: (text, write) => write(harmless(hideKey(text.replace(/^error: /, "secondwind: ")))),
    })
    .hook("preAction", (_, command) => {
      running = command.name();
    })
    .exitOverride();
  for (const add of commands) add(program, done);
  for (const command of program.commands) if (command.commands.length > 0) addHelpCommand(command);
  addHelpCommand(program);
  return program;
}

/** They have something to save or to finish: they notice a closed stdout themselves and shut down in order, or go on without it. */
const END_BY_THEMSELVES: ReadonlySet<string> = new Set(["rpc", "console", "chat", "serve"]);
let running = "";

const PROMISES_ALL: ReadonlySet<string> = new Set(["ask", "embed"]);
/** As shells report a program that SIGPIPE has ended: 128 + 13. */
const UNREAD = 141;

/**
 * A reader may close the pipe at any time (`| head`): that is no error. Only for some commands does exit code 0 promise that
 * everything was written. An output that can't be written, as on a full disk, is an error.
 */
function leave(error: NodeJS.ErrnoException): void {
  if (END_BY_THEMSELVES.has(running)) return;
  if (error.code !== "EPIPE") process.exit(reportProblem(error));
  process.exit(process.exitCode || (PROMISES_ALL.has(running) ? UNREAD : 0));
}

/** Prints the error unless Commander has, and returns the exit code. */
function reportProblem(fault: unknown): number {
  if (fault instanceof CommanderError) return fault.exitCode === 0 ? 0 : 2;
  const message = fault instanceof Error ? fault.message : String(fault);
  process.stderr.write(harmless(`secondwind: ${message}\n`));
  return fault instanceof InvalidInput ? 2 : 1;
}

/** `secondwind keys <key>`: what should be a command may be a key without a known prefix. */
function hideKey(text: string): string {
  return text.replace(
    /(unknown command ')([^']*)'/,
    (_, before: string, word: string) => `${before}${word.split(" ").map(shownWord).join(" ")}'`,
  );
}

/** An error may quote a file, a name or an argument: keys are masked and control characters removed. */
function harmless(text: string): string {
  return maskSecrets(cleanText(text));
}
