import { readFileSync } from "node:fs";
import { InvalidInput } from "../kernel/index.ts";

/** The value in a JSON file that an option names. Throws `InvalidInput` with what is wrong with it. */
export function readJsonFile(option: string, file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code ?? "unreadable";
    throw new InvalidInput(option, file, `a file that can be read (${code})`);
  }
  try {
    return JSON.parse(text);
  } catch (fault) {
    throw new InvalidInput(option, file, `a JSON file (${fault instanceof Error ? fault.message : "unreadable"})`);
  }
}
