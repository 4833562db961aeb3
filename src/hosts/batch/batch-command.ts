import type { Command } from "commander";

const HELP = `
Each line of FILE is one request, as JSON:
  "Why is the sky blue?"
  {"id": "a", "prompt": "…", "system": "…", "max_tokens": 200}
  {"id": "b", "messages": [{"role": "user", "content": "…"}]}
  a line of OpenAI's batch format (custom_id, method, url, body)
Without an id, the line number is the id. FILE can be - for stdin.

Each result is one line of the output, as soon as it is there, or
in the order of the input at the end (--ordered):
  {"id": "a", "line": 1, "text": "…", "finish": "end",
   "model": "sim/sonnet", "usage": {…}, "receipt": {…}, …}
  {"id": "b", "line": 2, "error": "400 Bad Request: …",
   "kind": "bad_request", "status": 400, …}

Run the same command again to resume: after Ctrl-C, a crash, kill -9
or a full disk, lines that have a result are not asked again. The
output itself is the memory of the run. Failed lines keep their error
until --retry-failed. If FILE has changed, the run is refused.

The number of calls follows what the provider accepts: it grows until
calls are refused, stays just below that, and obeys the provider's
rate-limit headers. Outages are waited out for up to 8 hours a line.
A rejected key, an unknown model or a used-up quota stops the run.

A line that is no valid request gets an error as its result
("kind": "bad_line"), and the exit code is 1. An id that is there
twice is refused before anything is asked.

Examples:
  secondwind batch prompts.jsonl -o answers.jsonl
  secondwind batch in.jsonl -o out.jsonl -m openai/gpt-5.4-mini
  secondwind batch in.jsonl -o out.jsonl --dry-run
  secondwind batch in.jsonl -o out.jsonl --retry-failed
  jq -c '{id: .sku, prompt: .text}' items.jsonl |
    secondwind batch - -o out.jsonl

Exit codes:
  0    every line has an answer
  1    some lines failed, or the run stopped before the end
  2    invalid usage, input or output
  130  cancelled

Environment:
  ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY …
             API keys; without any, a simulated model answers
  REDIS_URL  lines are jobs for workers on any machine
             (secondwind work); without it they run here
  NO_COLOR   disables colors and the progress bar
`;

/** Adds `batch` to the program. Loads the command only when it runs. */
export function addBatchCommand(program: Command, done: (code: number) => void): void {
  program
    .command("batch")
    .summary("ask a file of questions, and resume where it stopped")
    .description("Asks one question per line of JSON, writes one result per line, and resumes where it was stopped.")
    .argument("<file>", "JSON Lines to read; - for stdin")
    .requiredOption("-o, --output <file>", "JSON Lines to write")
    .option(
      "-m, --model <provider/model>",
      "the model of all lines (default: the line's own, or the first one with a key)",
    )
    .option("-p, --policy <name|file>", "retry policy: a preset or a JSON file (default: 8 hours of patience)")
    .option("-n, --concurrency <calls>", "most calls at the same time, 1 to 1000", "100")
    .option("--max-cost-tokens <n>", "stop before more tokens than this are used, those of earlier runs included")
    .option("--ordered", "at the end, put the results in the order of the input")
    .option("--retry-failed", "ask lines again that failed in an earlier run")
    .option("--dry-run", "only count and estimate")
    .addHelpText("after", HELP)
    .action(async (file: string, options) => {
      const { batch } = await import("./batch.ts");
      done(await batch(file, options));
    });
}
