import type { NumberedLine } from "../../wire/split-lines.ts";

/** What is returned with the vector, as given. */
export type InputId = string | number;

/** A text to embed. */
export interface EmbedInput {
  readonly id: InputId;
  readonly text: string;
}

export interface BadLine {
  readonly id: InputId;
  readonly error: string;
}

/** Longer than any text that a model takes. */
export const MOST_LINE_CHARS = 4 * 1024 * 1024;
const EXPECTED = 'a JSON string, or an object such as {"id": "a", "text": "…"}';

/** The text of a line, with its id or else the number of the line. What was in a bad line is not repeated. */
export function parseInputLine({ number, text, isTooLong }: NumberedLine): EmbedInput | BadLine {
  const wrong = (what: string, id: InputId = number): BadLine => ({ id, error: `line ${number}: ${what}` });
  if (isTooLong) return wrong(`the line must be ${MOST_LINE_CHARS} characters at most`);
  const given = parseJson(text);
  if (typeof given === "string")
    return given === "" ? wrong("the text must not be empty") : { id: number, text: given };
  if (typeof given !== "object" || given === null || Array.isArray(given)) return wrong(`the line must be ${EXPECTED}`);
  const { id = number, text: one, input: other } = given as Record<string, unknown>;
  if (!isId(id)) return wrong(`id must be a string, or a number up to ${Number.MAX_SAFE_INTEGER}`);
  if (one !== undefined && other !== undefined) return wrong("text and input must not both be given", id);
  const content = one ?? other;
  return typeof content === "string" && content !== ""
    ? { id, text: content }
    : wrong("text (or input) must be a string that is not empty", id);
}

export function isBad(line: EmbedInput | BadLine): line is BadLine {
  return "error" in line;
}

/** `JSON.parse` rounds larger numbers: they would not be returned as given, and two might become one. */
function isId(id: unknown): id is InputId {
  return typeof id === "string" || (typeof id === "number" && Math.abs(id) <= Number.MAX_SAFE_INTEGER);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
