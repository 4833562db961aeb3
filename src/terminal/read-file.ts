import { readFileSync } from "node:fs";
import { InvalidInput } from "../kernel/index.ts";

/** The text of a file that an option names. Throws `InvalidInput` if it cannot be read. */
export function readTextFile(option: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code ?? "unreadable";
    throw new InvalidInput(option, file, `a file that can be read (${code})`);
  }
}

/** The value in a JSON file that an option names. Throws `InvalidInput`. */
export function readJsonFile(option: string, file: string): unknown {
  const text = readTextFile(option, file);
  try {
    return JSON.parse(text);
  } catch (fault) {
    throw new InvalidInput(option, file, `a JSON file (${fault instanceof Error ? fault.message : "unreadable"})`);
  }
}
