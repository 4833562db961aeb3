import { type CallGeneration, type Receipt, type StopReason, type Target, targetName } from "../../kernel/index.ts";

/** What a receipt in headers is made from. */
export type Told = Pick<CallGeneration, "id" | "attemptsMade" | "receipt" | "trail" | "outcome" | "target">;

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
    ...(target === undefined ? [] : ["x-secondwind-target", headerName(target)]),
  ];
}

/** The same, added to headers. A generation that went well at once needs no receipt for it. */
export function pushReceipt(headers: string[], generation: Told): void {
  if (generation.trail !== undefined) {
    for (const part of receiptPairs(generation.receipt)) headers.push(part);
    return;
  }
  headers.push(
    "x-secondwind-id",
    generation.id,
    "x-secondwind-outcome",
    generation.outcome ?? "running",
    "x-secondwind-attempts",
    "1",
    "x-secondwind-calls",
    "1",
    "x-secondwind-waited-ms",
    "0",
    "x-secondwind-target",
    headerName(generation.target()),
  );
}

export function reasonPair(reason: StopReason | undefined): string[] {
  return reason === undefined ? [] : ["x-secondwind-reason", reason];
}

const names = new WeakMap<Target, string>();

/** Model names come from outside: nothing in them may end a header. */
function headerName(target: Target): string {
  const known = names.get(target);
  if (known !== undefined) return known;
  const name = targetName(target).replace(/[^\x20-\x7e]/g, (character) => encodeURIComponent(character));
  names.set(target, name);
  return name;
}
