import { type AttemptRecord, type Receipt, targetName } from "../../kernel/index.ts";
import { sayDuration, sayKind } from "../../terminal/index.ts";

export interface ReceiptLine {
  readonly label: string;
  readonly text: string;
}

const OUTCOMES: Readonly<Partial<Record<Receipt["outcome"], string>>> = {
  succeeded: "complete: the whole answer, from one attempt",
  "gave-up": "given up by you",
  "retries-exhausted": "failed: every retry is used up",
};

/** What really happened, for people: the outcome, the sums, then each attempt. */
export function receiptLines(receipt: Receipt): readonly ReceiptLine[] {
  const { outcome, attempts, waitedMs, elapsedMs, targets } = receipt;
  return [
    { label: "Outcome", text: `${OUTCOMES[outcome] ?? `failed: ${outcome}`}${sayRest(receipt)}` },
    { label: "Attempts", text: String(attempts) },
    { label: "Waited", text: `${sayDuration(waitedMs)} of ${sayDuration(elapsedMs)} in all` },
    { label: "Targets", text: targets.map(targetName).join(", ") },
    ...receipt.history.map((record) => ({ label: `Attempt ${record.attempt}`, text: sayAttempt(record) })),
  ];
}

function sayRest({ complete, truncated }: Receipt): string {
  if (complete) return "";
  return truncated ? "; truncated: what was shown is only a part" : "; no part of an answer stands";
}

function sayAttempt({ target, kind, status, waitedMs }: AttemptRecord): string {
  const end =
    kind === undefined ? "answered" : `${sayKind(kind).toLowerCase()}${status === undefined ? "" : ` (${status})`}`;
  return `${targetName(target)}: ${end}${waitedMs === undefined ? "" : `, then waited ${sayDuration(waitedMs)}`}`;
}
