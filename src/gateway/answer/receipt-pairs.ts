import {
  type CallGeneration,
  headerText,
  type Receipt,
  type StopReason,
  type Target,
  targetName,
} from "../../kernel/index.ts";
import { linesOf } from "../upstream/header-lines.ts";

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

/** The same as lines. A generation that went well at once needs no receipt for it. */
export function receiptLines(generation: Told): string {
  if (generation.trail !== undefined) return linesOf(receiptPairs(generation.receipt));
  const { id, outcome = "running" } = generation;
  return `x-secondwind-id: ${id}\r\nx-secondwind-outcome: ${outcome}\r\n${AT_ONCE}${headerName(generation.target())}\r\n`;
}

const AT_ONCE =
  "x-secondwind-attempts: 1\r\nx-secondwind-calls: 1\r\nx-secondwind-waited-ms: 0\r\nx-secondwind-target: ";

export function reasonPair(reason: StopReason | undefined): string[] {
  return reason === undefined ? [] : ["x-secondwind-reason", reason];
}

const names = new WeakMap<Target, string>();

function headerName(target: Target): string {
  const known = names.get(target);
  if (known !== undefined) return known;
  const name = headerText(targetName(target));
  names.set(target, name);
  return name;
}
