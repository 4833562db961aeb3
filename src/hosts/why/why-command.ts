import type { Command } from "commander";

const HELP = `
Input, in this order:
  TEXT        the error's text, as an argument
  --body      the response body; '-' reads it from stdin
  stdin       a message, a JSON body, the output of
              'curl -i', or one JSON object
              {provider?, status?, headers?, body?}

With --jsonl every line of stdin is such an object, and
every line of the output is
  {"kind", "scope", "retryable", "hintMs", "evidence",
   "confidence"}
in the same order. An invalid line gives {"error": "line N: …"}.

--report prints the error as a line for the public corpus
(corpus/README.md), with the verdict as its label: correct
what is wrong, add where you met it, and send it in.

Text that looks like an API key is masked.

Examples:
  secondwind why --status 429 --header 'retry-after: 30'
  secondwind why 'You exceeded your current quota'
  curl -si https://api.example.com/… | secondwind why
  secondwind why --provider groq --json < body.json
  secondwind why --jsonl < errors.jsonl > verdicts.jsonl
  secondwind why --report --provider groq < body.json

Exit codes:
  0  explained
  1  --jsonl: at least one line was invalid
  2  invalid usage, or nothing to explain
`;

/** Adds `why` to the program. Its modules are loaded only when it runs. */
export function addWhyCommand(program: Command, done: (code: number) => void): void {
  program
    .command("why")
    .summary("explain an error: what happened, who has to act, whether waiting helps")
    .description(
      "Explains an error from an LLM endpoint: what happened, who has to act, whether waiting helps, and what each preset would do.",
    )
    .argument("[text...]", "the error's text")
    .option("-s, --status <code>", "HTTP status, 100 to 599")
    .option(
      "-H, --header <line>",
      "a response header as 'name: value'; repeatable",
      (line: string, all: string[] = []) => [...all, line],
    )
    .option("-b, --body <text>", "the response body, JSON or text; '-' for stdin")
    .option("-p, --provider <name>", "the provider: the same message can mean different things")
    .option("--json", "print the result as JSON")
    .option("--jsonl", "one result per line of stdin")
    .option("--report", "print a line for the error corpus, to correct a wrong verdict")
    .addHelpText("after", HELP)
    .action(async (words: string[], options: object) => {
      const { why } = await import("./why.ts");
      done(await why(words, options));
    });
}
