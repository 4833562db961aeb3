import { once } from "node:events";
import { InvalidInput } from "../../kernel/index.ts";
import { openTerminal } from "../../terminal/index.ts";
import { readAll, readIfAny } from "../../terminal/read-stdin.ts";
import { judgeProblem, verdictJson } from "./judge-problem.ts";
import { parseOptions, type WhyOptions } from "./parse-options.ts";
import { parsePaste } from "./parse-paste.ts";
import { presetVerdicts } from "./preset-verdict.ts";
import type { Problem } from "./problem.ts";
import { renderCard } from "./render-card.ts";
import { whyJsonl } from "./why-jsonl.ts";

/** Long enough for a pipe that is being written to, short enough not to be felt. */
const STDIN_GRACE_MS = 500;

const HOW_TO = `Nothing to explain yet. Paste or pipe an error, or describe it:

  secondwind why --status 429 --header 'retry-after: 30'
  secondwind why 'Rate limit reached for gpt-4o'
  curl -i … | secondwind why
  secondwind why --jsonl < errors.jsonl

secondwind why --help tells more.
`;

/** `secondwind why`: answers its exit code. Throws `InvalidInput` for what makes no sense. */
export async function why(words: readonly string[], options: WhyOptions): Promise<number> {
  process.once("SIGINT", () => process.exit(130));
  const given = parseOptions(options);
  if (options.jsonl === true) {
    checkAlone(words, options, given);
    return process.stdin.isTTY ? tellHow() : answerLines(given.provider);
  }
  const problem = await gather(words, options, given);
  return problem === undefined ? tellHow() : answerOne(problem, options);
}

function tellHow(): number {
  process.stderr.write(HOW_TO);
  return 2;
}

function answerOne(problem: Problem, { json }: WhyOptions): number {
  const failure = judgeProblem(problem, Date.now());
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

async function answerLines(provider: string | undefined): Promise<number> {
  const { stdin, stdout } = process;
  stdin.setEncoding("utf8");
  const write = async (text: string): Promise<void> => {
    if (!stdout.write(text)) await once(stdout, "drain");
  };
  const bad = await whyJsonl({ input: stdin, write, provider, wallNow: Date.now });
  return bad === 0 ? 0 : 1;
}

/** `--jsonl` has its input from stdin: another source beside it would silently not be looked at. */
function checkAlone(words: readonly string[], { json, body }: WhyOptions, given: Problem): void {
  const others = [
    given.status !== undefined && "--status",
    given.headers !== undefined && "--header",
    body !== undefined && "--body",
    json === true && "--json",
    words.length > 0 && "a text",
  ].filter((other) => other !== false);
  if (others.length > 0) throw new InvalidInput("--jsonl", others.join(", "), "without another source than stdin");
}

/** The problem from options, words and stdin together; undefined: nobody has said anything. */
async function gather(words: readonly string[], options: WhyOptions, given: Problem): Promise<Problem | undefined> {
  const text = words.join(" ").trim();
  if (text !== "" && options.body !== undefined) {
    throw new InvalidInput("--body", options.body, "left out when the error is given as text");
  }
  if (text !== "") return { ...parsePaste(text), ...given };
  if (given.body !== undefined) return given;
  const isEnough = given.status !== undefined || given.headers !== undefined;
  const paste = await readPaste(isEnough && options.body !== "-" ? "if any" : "to its end");
  if (paste.trim() !== "") return { ...parsePaste(paste), ...given };
  return isEnough ? given : undefined;
}

function readPaste(how: "if any" | "to its end"): Promise<string> | string {
  const { stdin } = process;
  if (stdin.isTTY) return "";
  stdin.setEncoding("utf8");
  return how === "if any" ? readIfAny(stdin, STDIN_GRACE_MS) : readAll(stdin);
}
