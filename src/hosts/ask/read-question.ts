import { fstatSync } from "node:fs";
import { InvalidInput } from "../../kernel/index.ts";
import { readAll, type TextInput } from "../../terminal/read-stdin.ts";

/** After so long a silence of stdin an explanation is printed: the caller may have forgotten to close it. */
const EXPLAIN_AFTER_MS = 3000;

/** The question, and below it what was piped in. What is piped in alone is the question. */
export async function readQuestion(
  words: readonly string[],
  input: TextInput | undefined,
  explain: (line: string) => void,
): Promise<string> {
  const question = words.join(" ").trim();
  const context = input === undefined ? "" : (await readPatiently(input, explain)).trim();
  const text = [question, context].filter((part) => part !== "").join("\n\n");
  if (text === "") throw new InvalidInput("question", question, "given as an argument, or piped in");
  return text;
}

/** To its end, however long that takes: half of a context would give an answer that looks whole. */
async function readPatiently(input: TextInput, explain: (line: string) => void): Promise<string> {
  const timer = setTimeout(
    () => explain("Waiting for the end of stdin. Use < /dev/null if there is no input."),
    EXPLAIN_AFTER_MS,
  );
  try {
    return await readAll(input);
  } finally {
    clearTimeout(timer);
  }
}

/** A pipe, a socket or a file has input; a terminal or /dev/null has none. */
export function isPiped(fileDescriptor: number): boolean {
  try {
    const stat = fstatSync(fileDescriptor);
    return stat.isFIFO() || stat.isSocket() || stat.isFile();
  } catch {
    // Closed by the caller.
    return false;
  }
}
