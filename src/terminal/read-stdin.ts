import { InvalidInput } from "../kernel/index.ts";

/** Text as it comes in, chunk by chunk, already decoded. `process.stdin` can be one. */
export interface TextInput extends AsyncIterable<unknown> {
  destroy(): unknown;
}

/** Far more than any error, yet no danger to the memory. */
export const MOST_INPUT_CHARS = 64 * 1024 * 1024;

/** All of the input. Throws `InvalidInput` when there is too much of it. */
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
 * All of the input if any of it comes soon, else nothing. For calls that are complete without it: whoever starts us may
 * hold a pipe open that nobody writes to, and we must not wait for that for ever.
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
