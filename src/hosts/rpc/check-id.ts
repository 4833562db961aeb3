import { show } from "../../kernel/index.ts";
import type { Redact } from "../../wire/index.ts";

const MOST = Number.MAX_SAFE_INTEGER;
const ALLOWED = `a string, or a whole number from -${MOST} to ${MOST} in plain digits`;

/**
 * Why the id of a command can't come back as it was sent; undefined: it can. `JSON.parse` rounds large and long numbers, so the
 * digits are compared with those of the line. Inside a text, the quotes around `id` would be escaped.
 */
export function problemOfId(id: unknown, line: string, redact: Redact): string | undefined {
  if (id === undefined) return undefined;
  if (typeof id === "string") {
    // Texts are not quoted here: part of a key is not recognized as one.
    if (redact(id) !== id) return "id must not contain an API key";
    return id.includes("\uFFFD") ? "id must be valid UTF-8" : undefined;
  }
  const isExact = Number.isSafeInteger(id) && new RegExp(`"id"\\s*:\\s*${id}\\s*[,}]`).test(line);
  return isExact ? undefined : `id must be ${ALLOWED}; got ${show(id)}`;
}
