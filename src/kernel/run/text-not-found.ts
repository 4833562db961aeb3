import { InvalidInput } from "../model/invalid-input.ts";

const MOST_FIELDS = 8;

/** The error of a requirement that can't be checked. Names the fields of the answer, never their values. */
export function textNotFound(answer: unknown): InvalidInput {
  return new InvalidInput(
    "options.textOf",
    undefined,
    "a function that returns the text of the answer",
    `Cannot find the text of the answer to check \`require\`: got ${describe(answer)}. ` +
      'Pass the option `textOf`, a function that returns the text ("" if there is none).',
  );
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== "object") return `a value of type ${typeof value}`;
  try {
    return describeObject(value);
  } catch {
    // A proxy may refuse to be looked at.
    return "an object";
  }
}

function describeObject(value: object): string {
  const fields = Object.keys(value);
  const more = fields.length > MOST_FIELDS ? ", …" : "";
  const list = fields.length === 0 ? "" : ` with the fields ${fields.slice(0, MOST_FIELDS).join(", ")}${more}`;
  return `${nameOf(value)}${list}${"textStream" in value ? ", a stream that must be read by `stream`" : ""}`;
}

function nameOf(value: object): string {
  if (Array.isArray(value)) return "an array";
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name !== "string" || name === "" || name === "Object" ? "an object" : `a value of class ${name}`;
}
