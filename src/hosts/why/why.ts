import { once } from "node:events";
import { classifyError, verdictJson } from "../../explain/classify-error.ts";
import { corpusLine } from "../../explain/corpus-line.ts";
import type { ErrorInput } from "../../explain/error-input.ts";
import { parsePaste } from "../../explain/parse-paste.ts";
import { presetVerdicts } from "../../explain/preset-verdict.ts";
import { InvalidInput } from "../../kernel/index.ts";
import { maskSecrets, openTerminal } from "../../terminal/index.ts";
import { readAll, readIfAny } from "../../terminal/read-stdin.ts";
import { parseOptions, type WhyOptions } from "./parse-options.ts";
import { renderCard } from "./render-card.ts";
import { whyJsonl } from "./why-jsonl.ts";

/** Long enough for a pipe with data, too short to notice. */
const STDIN_GRACE_MS = 500;

const HOW_TO = `Nothing to explain. Paste or pipe an error, or describe it:

  secondwind why --status 429 --header 'retry-after: 30'
  secondwind why 'Rate limit reached for gpt-4o'
  curl -i … | secondwind why
  secondwind why --jsonl < errors.jsonl

For more, run: secondwind why --help
`;

const HOW_TO_REPORT = `
Correct kind, scope, retryable and hintMs, fill in source, and add a "why" if the
label is not obvious. Then open an issue or a pull request with the line:
https://github.com/secondwind-dev/secondwind/issues
`;

/** `secondwind why`: returns the exit code. Throws `InvalidInput` for invalid options. */
export async function why(words: readonly string[], options: WhyOptions): Promise<number> {
  process.once("SIGINT", () => process.exit(130));
  const given = parseOptions(options);
  if (options.json === true && options.report === true)
    throw new InvalidInput("--report", "--json", "used without --json: it prints JSON anyway");
  if (options.jsonl === true) {
    checkAlone(words, options, given);
    return process.stdin.isTTY ? showHowTo() : explainLines(given.provider);
  }
  const problem = await gather(words, options, given);
  return problem === undefined ? showHowTo() : explainOne(problem, options);
}

function showHowTo(): number {
  process.stderr.write(HOW_TO);
  return 2;
}

function explainOne(problem: ErrorInput, { json, report }: WhyOptions): number {
  const failure = classifyError(problem, Date.now());
  if (report === true) {
    process.stdout.write(`${maskSecrets(corpusLine(problem, failure, new Date()))}\n`);
    process.stderr.write(HOW_TO_REPORT);
    return 0;
  }
  if (json === true) {
    process.stdout.write(`${verdictJson(failure)}\n`);
    return 0;
  }
  const { columns, colours } = openTerminal(process.stdout, process.env);
  const verdicts = presetVerdicts(failure);
  const lines = renderCard({ failure, provider: problem.provider, verdicts, columns, colours });
  process.stdout.write(`${lines.join("\n")}\n`);
  return 0;
}

async function explainLines(provider: string | undefined): Promise<number> {
  const { stdin, stdout } = process;
  stdin.setEncoding("utf8");
  const write = async (text: string): Promise<void> => {
    if (!stdout.write(text)) await once(stdout, "drain");
  };
  const bad = await whyJsonl(stdin, write, provider);
  return bad === 0 ? 0 : 1;
}

/** `--jsonl` reads stdin and would silently ignore any other source. */
function checkAlone(words: readonly string[], { json, report, body }: WhyOptions, given: ErrorInput): void {
  const others = [
    given.status !== undefined && "--status",
    given.headers !== undefined && "--header",
    body !== undefined && "--body",
    json === true && "--json",
    report === true && "--report",
    words.length > 0 && "a text",
  ].filter((other) => other !== false);
  if (others.length > 0) throw new InvalidInput("--jsonl", others.join(", "), "used with stdin as the only source");
}

/** The error from options, words and stdin together; undefined: none was given. */
async function gather(
  words: readonly string[],
  options: WhyOptions,
  given: ErrorInput,
): Promise<ErrorInput | undefined> {
  const text = words.join(" ").trim();
  if (text !== "" && options.body !== undefined) {
    throw new InvalidInput("--body", options.body, "omitted when the error is given as text");
  }
  if (text !== "") return { ...parsePaste(text), ...given };
  if (given.body !== undefined) return given;
  const isEnough = given.status !== undefined || given.headers !== undefined;
  const paste = await readPaste(isEnough && options.body !== "-" ? "if any" : "all");
  if (paste.trim() !== "") return { ...parsePaste(paste), ...given };
  return isEnough ? given : undefined;
}

function readPaste(how: "if any" | "all"): Promise<string> | string {
  const { stdin } = process;
  if (stdin.isTTY) return "";
  stdin.setEncoding("utf8");
  return how === "if any" ? readIfAny(stdin, STDIN_GRACE_MS) : readAll(stdin);
}
