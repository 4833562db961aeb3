import { InvalidInput, show } from "../../kernel/index.ts";

// The database's driver cuts a text at NUL when it reads, and half a surrogate pair has no UTF-8.
const UNSTORABLE = /[\0\p{Surrogate}]/u;
const ALL_UNSTORABLE = new RegExp(UNSTORABLE, "gu");
const LONGEST_NAME = 500;

/** A name that something is found by: kept exactly or refused. */
export function checkName(field: string, value: unknown): string {
  const fits = typeof value === "string" && value !== "" && value.length <= LONGEST_NAME && !UNSTORABLE.test(value);
  if (fits) return value;
  throw new InvalidInput(field, value, `a text of 1 to ${LONGEST_NAME} characters without NUL or half characters`);
}

/** A name that may be left empty, as that of an unnamed credential. */
export function checkOptionalName(field: string, value: unknown): string {
  return value === "" ? value : checkName(field, value);
}

/** A text for people: what can't be stored is shown as U+FFFD instead of refusing a provider's message for it. */
export function checkText(field: string, value: unknown): string {
  if (typeof value !== "string") throw new InvalidInput(field, value, "a text");
  return value.replace(ALL_UNSTORABLE, "\uFFFD");
}

/** As JSON. What JSON has no word for at all is refused; what it bends (a Date, NaN) is read back bent. */
export function encodeJson(field: string, value: unknown): string {
  const text = stringify(field, value);
  if (text === undefined) throw new InvalidInput(field, value, "data that JSON can say");
  return text;
}

function stringify(field: string, value: unknown): string | undefined {
  try {
    // The type leaves out that undefined, a function and a symbol give no text.
    return JSON.stringify(value) as string | undefined;
  } catch (cause) {
    throw Object.assign(new InvalidInput(field, value, `data that JSON can say (${show(String(cause))})`), { cause });
  }
}
