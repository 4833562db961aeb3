import type { Command } from "commander";

const HELP = `
Reads one text per line from FILE or stdin, as JSON: a string, or
an object with text (or input) and an optional id, a string or a
number. Without an id, the line number is the id. Writes one line
per text to stdout:
  {"id": "a", "embedding": [0.013, -0.021, …]}
  {"id": "b", "error": "400 Bad Request: …", "kind": "bad_request"}
Lines are written as soon as they are done, not in input order.

Requests are retried with the background policy: after
exponential waits up to 2 minutes, or as long as the provider
asks for, up to 10 minutes; for up to 30 minutes of waiting in
all. While a provider keeps failing, one request at a time
probes it.
Keys are rotated; another model is never used, because its vectors
would not compare. A rejected key, an unknown model or a used-up
quota stops the work.

--resume FILE skips the ids that FILE has an embedding for. To
continue after Ctrl-C or a crash, or to redo failed lines:
  secondwind embed --resume out.jsonl texts.jsonl >> out.jsonl

Examples:
  secondwind embed -m openai/text-embedding-3-small texts.jsonl
  printf '"one"\\n"two"\\n' | secondwind embed -m sim/ok
  jq -c '{id: .sku, text: .title}' items.jsonl | secondwind embed

Exit codes:
  0    every line has an embedding
  1    some lines have none, or the input or output failed
  2    invalid usage
  130  cancelled; what was written is complete lines
  141  the reader closed stdout before the end

Environment:
  OPENAI_API_KEY, GEMINI_API_KEY …
             API keys; without any, sim/ok is used
  NO_COLOR   disables colors and the progress line
`;

/** Adds `embed` to the program. Loads the command only when it runs. */
export function addEmbedCommand(program: Command, done: (code: number) => void): void {
  program
    .command("embed")
    .summary("create embeddings for lines of JSON")
    .description("Creates an embedding for each line of JSON and writes it as a line of JSON.")
    .argument("[file]", "JSON Lines to read (default: stdin)")
    .option("-m, --model <provider/model>", "the embedding model (default: of the first provider with a key)")
    .option("-b, --batch <texts>", "texts per request, 1 to 100", "100")
    .option("-n, --concurrency <requests>", "requests at the same time, 1 to 32", "4")
    .option("-r, --resume <file>", "skip lines that already have an embedding in this file")
    .addHelpText("after", HELP)
    .action(async (file: string | undefined, options) => {
      const { embed } = await import("./embed.ts");
      done(await embed(file, options));
    });
}
