import type { Receipt } from "../model/receipt.ts";
import { targetName } from "../model/target.ts";

/** A receipt as HTTP headers. Names are lower case, values ASCII. */
export function receiptHeaders(receipt: Receipt): Readonly<Record<string, string>> {
  return {
    "x-secondwind-generation": ascii(receipt.generationId),
    "x-secondwind-complete": String(receipt.complete),
    "x-secondwind-truncated": String(receipt.truncated),
    "x-secondwind-outcome": receipt.outcome,
    "x-secondwind-attempts": String(receipt.attempts),
    "x-secondwind-calls": String(receipt.calls),
    "x-secondwind-waited-ms": String(Math.round(receipt.waitedMs)),
    ...(receipt.patienceMs !== null && { "x-secondwind-patience-ms": String(Math.round(receipt.patienceMs)) }),
    "x-secondwind-targets": receipt.targets.map((target) => ascii(targetName(target))).join(", "),
  };
}

/** Model names come from outside: nothing in them may end a header. */
function ascii(text: string): string {
  return text.replace(/[^\x20-\x7e]|,/g, (character) => encodeURIComponent(character));
}
