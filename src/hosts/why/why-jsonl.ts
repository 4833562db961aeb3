import { InvalidInput } from "../../kernel/index.ts";
import { maskSecrets } from "../../terminal/index.ts";
import { MOST_INPUT_CHARS } from "../../terminal/read-stdin.ts";
import { type NumberedLine, splitLines } from "../../wire/split-lines.ts";
import { judgeProblem, verdictJson } from "./judge-problem.ts";
import { checkProblem } from "./problem.ts";

export interface JsonlJob {
  readonly input: AsyncIterable<unknown>;
  /** Resolves when the reader is ready for more. */
  readonly write: (text: string) => Promise<void>;
  /** For lines that name none. */
  readonly provider: string | undefined;
  readonly wallNow: () => number;
}

/** One verdict for every line that is not blank, in order, while the input still comes in. Answers how many lines were bad. */
export async function whyJsonl({ input, write, provider, wallNow }: JsonlJob): Promise<number> {
  let bad = 0;
  for await (const lines of splitLines(input, MOST_INPUT_CHARS)) {
    let answers = "";
    for (const line of lines) {
      if (line.text.trim() === "") continue;
      try {
        answers += `${judgeLine(line, provider, wallNow())}\n`;
      } catch (fault) {
        if (!(fault instanceof InvalidInput)) throw fault;
        bad++;
        answers += `${JSON.stringify({ error: maskSecrets(`line ${line.number}: ${fault.message}`) })}\n`;
      }
    }
    if (answers !== "") await write(answers);
  }
  return bad;
}

function judgeLine({ text, isTooLong }: NumberedLine, provider: string | undefined, wallNowMs: number): string {
  if (isTooLong) throw new InvalidInput("the line", text, `${MOST_INPUT_CHARS} characters at most`);
  const problem = checkProblem(parseLine(text));
  return verdictJson(judgeProblem({ ...(provider !== undefined && { provider }), ...problem }, wallNowMs));
}

function parseLine(line: string): unknown {
  const text = line.replace(/^\ufeff/, "").trim();
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidInput("the line", text, "one JSON object");
  }
}
