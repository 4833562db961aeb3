import { InvalidInput, show } from "../../kernel/index.ts";

// libsql cuts a text at NUL when it reads, and half a surrogate pair has no UTF-8.
const UNSTORABLE = /[\0\p{Surrogate}]/u;
const ALL_UNSTORABLE = new RegExp(UNSTORABLE, "gu");
const LONGEST_NAME = 500;

/** A name that is looked up: stored exactly as it is, or rejected. */
export function checkName(field: string, value: unknown): string {
  const fits = typeof value === "string" && value !== "" && value.length <= LONGEST_NAME && !UNSTORABLE.test(value);
  if (fits) return value;
  throw new InvalidInput(field, value, `a text of 1 to ${LONGEST_NAME} characters without NUL or half characters`);
}

/** A text for people. Characters that can't be stored become U+FFFD: a provider's message is never rejected. */
export function checkText(field: string, value: unknown): string {
  if (typeof value !== "string") throw new InvalidInput(field, value, "a text");
  return value.replace(ALL_UNSTORABLE, "\uFFFD");
}

/** As JSON. Throws for what JSON has no form for; what it converts (a Date, NaN) is read back converted. */
export function encodeJson(field: string, value: unknown): string {
  const text = stringify(field, value);
  if (text === undefined) throw new InvalidInput(field, value, "a JSON value");
  return text;
}

function stringify(field: string, value: unknown): string | undefined {
  try {
    // The type omits that undefined, a function and a symbol return undefined.
    return JSON.stringify(value) as string | undefined;
  } catch (cause) {
    throw Object.assign(new InvalidInput(field, value, `a JSON value (${show(String(cause))})`), { cause });
  }
}
