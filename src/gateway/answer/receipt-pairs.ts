import { type Receipt, type StopReason, targetName } from "../../kernel/index.ts";

/** The receipt as headers of the gateway: names and values in turn. */
export function receiptPairs({ generationId, outcome, attempts, waitedMs, targets, calls }: Receipt): string[] {
  const target = targets.at(-1);
  return [
    "x-secondwind-id",
    generationId,
    "x-secondwind-outcome",
    outcome,
    "x-secondwind-attempts",
    String(attempts),
    "x-secondwind-calls",
    String(calls),
    "x-secondwind-waited-ms",
    String(Math.round(waitedMs)),
    ...(target === undefined ? [] : ["x-secondwind-target", ascii(targetName(target))]),
  ];
}

export function reasonPair(reason: StopReason | undefined): string[] {
  return reason === undefined ? [] : ["x-secondwind-reason", reason];
}

/** Model names come from outside: nothing in them may end a header. */
function ascii(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (character) => encodeURIComponent(character));
}
