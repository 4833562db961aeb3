import type { Receipt } from "../model/receipt.ts";
import { targetName } from "../model/target.ts";

/** A receipt as HTTP headers. Names are lower case and in order, values ASCII. */
export function receiptHeaders(receipt: Receipt): Readonly<Record<string, string>> {
  const { patienceMs } = receipt;
  const headers: Record<string, string> = {
    "x-secondwind-attempts": String(receipt.attempts),
    "x-secondwind-calls": String(receipt.calls),
    "x-secondwind-complete": String(receipt.complete),
    "x-secondwind-generation": ascii(receipt.generationId),
    "x-secondwind-outcome": receipt.outcome,
  };
  if (patienceMs !== null) headers["x-secondwind-patience-ms"] = String(Math.round(patienceMs));
  headers["x-secondwind-targets"] = receipt.targets.map((target) => ascii(targetName(target))).join(", ");
  headers["x-secondwind-truncated"] = String(receipt.truncated);
  headers["x-secondwind-waited-ms"] = String(Math.round(receipt.waitedMs));
  return headers;
}

/** Model names come from outside: nothing in them may end a header. */
function ascii(text: string): string {
  return text.replace(/[^\x20-\x7e]|,/g, (character) => encodeURIComponent(character));
}
