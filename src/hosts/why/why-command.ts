import type { Command } from "commander";

const HELP = `
Input, the first that is there:
  TEXT        the error's text, as an argument
  --body      the response body; '-' reads it from stdin
  stdin       anything: a message, a JSON body, what
              'curl -i' prints, or one JSON object
              {provider?, status?, headers?, body?}

With --jsonl every line of stdin is such an object, and
every line of the output is
  {"kind", "scope", "retryable", "hintMs", "evidence"}
in the same order. A bad line gives {"error": "line N: …"}.

What looks like an API key is masked before it is shown.

Examples:
  secondwind why --status 429 --header 'retry-after: 30'
  secondwind why 'You exceeded your current quota'
  curl -si https://api.example.com/… | secondwind why
  secondwind why --provider groq --json < body.json
  secondwind why --jsonl < errors.jsonl > verdicts.jsonl

Exit codes:
  0  explained
  1  --jsonl: at least one line was bad
  2  wrong usage, or nothing to explain
`;

/** Adds `why` to the program. What it needs is loaded only when it runs. */
export function addWhyCommand(program: Command, done: (code: number) => void): void {
  program
    .command("why")
    .summary("explain an error: what it is, whose fault, does waiting help")
    .description(
      "Explains an error of an LLM endpoint: what happened, on whose side, whether waiting helps, and what each preset would do about it.",
    )
    .argument("[text...]", "the error's text")
    .option("-s, --status <code>", "HTTP status, 100 to 599")
    .option(
      "-H, --header <line>",
      "a response header as 'name: value'; repeatable",
      (line: string, all: string[] = []) => [...all, line],
    )
    .option("-b, --body <text>", "the response body, JSON or text; '-' for stdin")
    .option("-p, --provider <name>", "who answered: the same sentence means different things")
    .option("--json", "one verdict as JSON instead of the card")
    .option("--jsonl", "one verdict per line of stdin")
    .addHelpText("after", HELP)
    .action(async (words: string[], options: object) => {
      const { why } = await import("./why.ts");
      done(await why(words, options));
    });
}
