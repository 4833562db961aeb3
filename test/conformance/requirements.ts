import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const DOCUMENT = resolve(dirname(fileURLToPath(import.meta.url)), "../../docs/requirements.md");

export interface Requirement {
  readonly id: string;
  readonly name: string;
  /** Every sentence, on one line. */
  readonly text: string;
  /** Not implemented yet: no test has to prove it. */
  readonly isPlanned: boolean;
}

/** The requirements of docs/requirements.md: list items that begin with `- **E1 Name.**` or `- **K6 Name (planned).**`. */
export function readRequirements(document: string = readFileSync(DOCUMENT, "utf8")): Requirement[] {
  const items = document.matchAll(/^- \*\*([ETSKCB]\d+b?) (.+?)( \(planned\))?\.\*\* (.+(?:\n+ {2}.*)*)/gm);
  return [...items].map(([, id, name, planned, text]) => ({
    id: id as string,
    name: name as string,
    text: (text as string).replace(/\s+/g, " ").trim(),
    isPlanned: planned !== undefined,
  }));
}
