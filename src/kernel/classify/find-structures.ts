import { MOST_JSON_CHARS, MOST_TEXT_CHARS } from "./bounds.ts";
import { type Parsed, parseLoose } from "./parse-loose.ts";

/** An object that a text carries: JSON, a Python dict, a dump; as text, escaped or not. */
export interface Structure {
  readonly value: unknown;
  /** Where it starts and ends in the text. */
  readonly start: number;
  readonly end: number;
}

/** More than one error in a text is rare; more than a few are a log. */
const MOST_STRUCTURES = 4;
const MOST_TRIES = 16;
const NONE: readonly Structure[] = [];
const ESCAPED = /\{\s{0,8}(?:\w{1,32}: (?:Some\()?)?\\{1,15}"/y;

/** A pair of a map in protobuf's text format, `{ key: "quota_limit" value: "…" }`: no object of its own. */
const PAIR = /^\{\s{0,4}key: "/;

/** The objects in a text, in the order of the text. Total; each place is read a bounded number of times. */
export function findStructures(text: string): readonly Structure[] {
  let start = text.indexOf("{");
  if (start === -1 || text.length > MOST_JSON_CHARS) return NONE;
  const whole = parseJson(text.slice(start, text.lastIndexOf("}") + 1));
  if (whole !== undefined) return [{ value: whole, start, end: text.lastIndexOf("}") + 1 }];
  const found: Structure[] = [];
  for (let i = 0; i < MOST_TRIES && start !== -1 && found.length < MOST_STRUCTURES; i++) {
    const parsed = PAIR.test(text.slice(start, start + 16)) ? undefined : parseAt(text, start);
    if (parsed !== undefined) found.push({ value: parsed.value, start, end: parsed.end });
    start = text.indexOf("{", parsed?.end ?? start + 1);
  }
  return found;
}

function parseAt(text: string, start: number): Parsed | undefined {
  const line = lineEnd(text, start);
  const json = parseJson(text.slice(start, line));
  if (json !== undefined) return { value: json, end: line };
  ESCAPED.lastIndex = start;
  if (ESCAPED.test(text)) return parseEscaped(text, start);
  // A loose reading of a long text costs more than its middle is worth.
  return parseLoose(text.slice(0, start + MOST_TEXT_CHARS), start);
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.lastIndexOf("}") + 1 : end;
}

/** What was escaped belongs to one string: nothing after it is looked at again. */
function parseEscaped(text: string, start: number): Parsed | undefined {
  let plain = text.slice(start, start + MOST_TEXT_CHARS);
  // JSON in a string in a string: each round halves the backslashes, so there are four at most.
  do {
    plain = plain.replace(/\\(.)/g, (_, char: string) => (char === "n" ? "\n" : char));
    ESCAPED.lastIndex = 0;
  } while (ESCAPED.test(plain));
  const parsed = parseLoose(plain, 0);
  return parsed === undefined ? undefined : { value: parsed.value, end: text.length };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
