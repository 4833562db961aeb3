import type { Command } from "commander";

const HELP = `
The answer goes to stdout as it arrives, everything else to stderr.
Piped input is added below the question, or is the question.

A policy is a preset (default, session, patient, console, tavern,
background) or a JSON file with changes to the default one.
The default policy waits for up to 5 minutes in all between
attempts. --max-wait sets a shorter limit: seconds, or 90s, 5m, 1h.

In a terminal, Enter during a wait retries now and Ctrl-C cancels.

With --json, prints one object at the end:
  {"answer": "…", "receipt": {"complete": true, "attempts": 1,
   "waitedMs": 0, "targets": […], …}}
with "error" if the answer is not complete. Nothing is printed before
that, so even a truncated answer can be retried.

Examples:
  secondwind ask 'Why is the sky blue?'
  git diff | secondwind ask 'Write a commit message for this'
  secondwind ask -m openai/gpt-5.4 -p patient 'Long live patience'
  secondwind ask --max-wait 30 --json 'Now or never' | jq .receipt
  secondwind ask -m sim/overloaded-twice 'No key needed'

Exit codes:
  0    the complete answer
  1    no answer, or an incomplete one: truncated, at the model's
       output limit or stopped by a content filter; or stdout failed
  2    invalid usage
  130  cancelled
  141  the reader closed stdout before the end

Environment:
  ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY …
             API keys; without any, a simulated model answers
  NO_COLOR   disables colors and the countdown

Files:
  ~/.config/secondwind/keys.json   secondwind keys
`;

/** Adds `ask` to the program. Loads the command only when it runs. */
export function addAskCommand(program: Command, done: (code: number) => void): void {
  program
    .command("ask")
    .summary("ask one question, for scripts and pipes")
    .description("Asks one question, retries until it is answered, and writes the answer to stdout.")
    .argument("[question...]", "the question")
    .option("-m, --model <provider/model>", "the model (default: the first one with a key)")
    .option("-p, --policy <name|file>", "retry policy: a preset or a JSON file (default: default)")
    .option("-w, --max-wait <seconds>", "maximum total time to wait between attempts")
    .option("--json", "print answer and receipt as JSON at the end")
    .addHelpText("after", HELP)
    .action(async (words: string[], options: object) => {
      const { ask } = await import("./ask.ts");
      done(await ask(words, options));
    });
}
