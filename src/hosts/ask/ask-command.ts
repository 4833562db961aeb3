import type { Command } from "commander";

const HELP = `
The answer goes to stdout as it comes, everything else to stderr.
What is piped in is added below the question, or is the question.

A policy is a preset (default, session, patient, console, tavern,
background) or a JSON file with changes to the default one.
--max-wait bounds the time between attempts, in all: seconds, or
90s, 5m, 1h.

In a terminal: Enter during a wait retries now, Ctrl-C cancels.

With --json, one object when it is over:
  {"answer": "…", "receipt": {"complete": true, "attempts": 1,
   "waitedMs": 0, "targets": […], …}}
and "error" if there is no whole answer. Nothing is shown before,
so even an answer that breaks off is asked for again.

Examples:
  secondwind ask 'Why is the sky blue?'
  git diff | secondwind ask 'Write a commit message for this'
  secondwind ask -m openai/gpt-5.4 -p patient 'Long live patience'
  secondwind ask --max-wait 30 --json 'Now or never' | jq .receipt
  secondwind ask -m sim/overloaded-twice 'No key needed'

Exit codes:
  0    the whole answer
  1    no answer, or only a part of one: broken off, cut at the
       model's limit or by a content filter; or stdout failed
  2    wrong usage
  130  cancelled
  141  whoever read stdout left before the end

Environment:
  ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY …
             keys; without any sim/ok answers, a simulated model
  NO_COLOR   set: no colours and no countdown

Files:
  ~/.config/secondwind/keys.json   secondwind keys
`;

/** Adds `ask` to the program. What it needs is loaded only when it runs. */
export function addAskCommand(program: Command, done: (code: number) => void): void {
  program
    .command("ask")
    .summary("one question, one answer: for scripts and pipes")
    .description("Asks one question, carries it through failures, and writes the answer to stdout.")
    .argument("[question...]", "the question")
    .option("-m, --model <provider/model>", "who answers; left out: the first that has a key")
    .option("-p, --policy <name|file>", "what is tried again, and when (default: default)")
    .option("-w, --max-wait <seconds>", "wait no longer than this between attempts, in all")
    .option("--json", "answer and receipt as JSON, when it is over")
    .addHelpText("after", HELP)
    .action(async (words: string[], options: object) => {
      const { ask } = await import("./ask.ts");
      done(await ask(words, options));
    });
}
