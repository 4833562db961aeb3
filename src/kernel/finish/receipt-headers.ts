import type { Receipt } from "../model/receipt.ts";
import { targetName } from "../model/target.ts";

/** A receipt as HTTP headers, with the names that the gateway uses. Names are lower case and in order, values ASCII. */
export function receiptHeaders(receipt: Receipt): Readonly<Record<string, string>> {
  const { patienceMs, targets } = receipt;
  const last = targets.at(-1);
  const headers: Record<string, string> = {
    "x-secondwind-attempts": String(receipt.attempts),
    "x-secondwind-calls": String(receipt.calls),
    "x-secondwind-complete": String(receipt.complete),
    "x-secondwind-id": headerText(receipt.generationId),
    "x-secondwind-outcome": receipt.outcome,
  };
  if (patienceMs !== null) headers["x-secondwind-patience-ms"] = String(Math.round(patienceMs));
  if (last !== undefined) headers["x-secondwind-target"] = headerText(targetName(last));
  headers["x-secondwind-truncated"] = String(receipt.truncated);
  headers["x-secondwind-waited-ms"] = String(Math.round(receipt.waitedMs));
  return headers;
}

/** The text as the value of a header. Model names come from outside: nothing in them may end a header, or be more than a header can hold. */
export function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (character) =>
    isHalf(character) ? "%EF%BF%BD" : encodeURIComponent(character),
  );
}

/** Half of a pair of surrogates, which has no encoding. */
function isHalf(character: string): boolean {
  return character.length === 1 && character >= "\ud800" && character <= "\udfff";
}
