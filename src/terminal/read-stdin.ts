import { InvalidInput } from "../kernel/index.ts";

/** Decoded text, chunk by chunk, such as `process.stdin`. */
export interface TextInput extends AsyncIterable<unknown> {
  destroy(): unknown;
}

/** Far more than any error, and small enough for memory. */
export const MOST_INPUT_CHARS = 64 * 1024 * 1024;

/** Reads the whole input. Throws `InvalidInput` if it is too long. */
export async function readAll(input: AsyncIterable<unknown>): Promise<string> {
  const chunks: string[] = [];
  let size = 0;
  for await (const chunk of input) {
    const text = String(chunk);
    size += text.length;
    if (size > MOST_INPUT_CHARS) throw new InvalidInput("stdin", `${size} characters and more`, "64 MB at most");
    chunks.push(text);
  }
  return chunks.join("");
}

/**
 * Reads the whole input if its first part comes within `graceMs`, otherwise nothing. For calls that do not need input: the
 * parent process may leave a pipe open without ever writing to it.
 */
export async function readIfAny(input: TextInput, graceMs: number): Promise<string> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<"silence">((resolve) => {
    timer = setTimeout(() => resolve("silence"), graceMs);
  });
  const chunks = input[Symbol.asyncIterator]();
  const first = await Promise.race([chunks.next(), silence]);
  clearTimeout(timer);
  if (first === "silence") {
    input.destroy();
    return "";
  }
  if (first.done === true) return "";
  return String(first.value) + (await readAll({ [Symbol.asyncIterator]: () => chunks }));
}
