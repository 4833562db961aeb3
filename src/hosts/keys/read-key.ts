/** The part of `process.stdin` that a hidden prompt needs. */
export interface KeyInput extends AsyncIterable<unknown> {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
  setEncoding(encoding: "utf8"): unknown;
  on(event: "data", listener: (chunk: string) => void): unknown;
  off(event: "data", listener: (chunk: string) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

export const CANCELLED = Symbol("cancelled");

const MOST_CHARS = 64 * 1024;
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const BACKSPACE = /[\b\u007f]/;

/** Reads a key from a hidden prompt, or from a pipe. */
export async function readKey(
  input: KeyInput,
  prompt: { write(text: string): unknown },
  question: string,
): Promise<string | typeof CANCELLED> {
  input.setEncoding("utf8");
  if (input.isTTY !== true || input.setRawMode === undefined) return readPiped(input);
  prompt.write(question);
  const answer = await readHidden(input);
  prompt.write("\n");
  return answer;
}

async function readPiped(input: KeyInput): Promise<string> {
  let text = "";
  for await (const chunk of input) {
    text += String(chunk);
    if (text.length > MOST_CHARS) break;
  }
  return text;
}

function readHidden(input: KeyInput): Promise<string | typeof CANCELLED> {
  return new Promise((resolve) => {
    let text = "";
    const end = (answer: string | typeof CANCELLED): void => {
      input.off("data", listen);
      input.setRawMode?.(false);
      input.pause();
      resolve(answer);
    };
    // A pasted key comes in one chunk, with or without its line end.
    const listen = (chunk: string): void => {
      for (const char of chunk) {
        if (char === CTRL_C) return end(CANCELLED);
        if (char === "\r" || char === "\n" || char === CTRL_D) return end(text);
        text = BACKSPACE.test(char) ? text.slice(0, -1) : text + char;
      }
    };
    input.setRawMode?.(true);
    input.on("data", listen);
    input.resume();
  });
}
