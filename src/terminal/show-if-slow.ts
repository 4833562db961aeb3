import { CLEAR_LINE } from "./terminal.ts";

const SLOW_MS = 1000;

/** Shows a text if the work takes longer than a second, and clears it when the work ends. */
export async function showIfSlow<T>(output: NodeJS.WriteStream, text: string, work: Promise<T>): Promise<T> {
  let isShown = false;
  const timer = setTimeout(() => {
    isShown = true;
    output.write(text);
  }, SLOW_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (isShown) output.write(CLEAR_LINE);
  }
}
