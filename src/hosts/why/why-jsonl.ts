import { classifyError, verdictJson } from "../../explain/classify-error.ts";
import { checkErrorInput } from "../../explain/error-input.ts";
import { InvalidInput } from "../../kernel/index.ts";
import { maskSecrets } from "../../terminal/index.ts";
import { MOST_INPUT_CHARS } from "../../terminal/read-stdin.ts";
import { type NumberedLine, splitLines } from "../../wire/split-lines.ts";

/**
 * Writes one result per non-blank line, in order, while input still arrives. `write` resolves when the reader is ready for
 * more; `provider` is for lines without one. Returns the number of invalid lines.
 */
export async function whyJsonl(
  input: AsyncIterable<unknown>,
  write: (text: string) => Promise<void>,
  provider: string | undefined,
): Promise<number> {
  let bad = 0;
  for await (const lines of splitLines(input, MOST_INPUT_CHARS)) {
    let results = "";
    for (const line of lines) {
      if (line.text.trim() === "") continue;
      try {
        results += `${classifyLine(line, provider)}\n`;
      } catch (fault) {
        if (!(fault instanceof InvalidInput)) throw fault;
        bad++;
        results += `${JSON.stringify({ error: maskSecrets(`line ${line.number}: ${fault.message}`) })}\n`;
      }
    }
    if (results !== "") await write(results);
  }
  return bad;
}

function classifyLine({ text, isTooLong }: NumberedLine, provider: string | undefined): string {
  if (isTooLong) throw new InvalidInput("the line", text, `${MOST_INPUT_CHARS} characters at most`);
  const problem = checkErrorInput(parseLine(text));
  return verdictJson(classifyError({ ...(provider !== undefined && { provider }), ...problem }, Date.now()));
}

function parseLine(line: string): unknown {
  const text = line.replace(/^\ufeff/, "").trim();
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidInput("the line", text, "one JSON object");
  }
}
