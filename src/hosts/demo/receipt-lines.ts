import { type AttemptRecord, type Receipt, targetName } from "../../kernel/index.ts";
import { sayDuration } from "../../terminal/index.ts";
import { sayKindAndStatus } from "./describe-event.ts";

const OUTCOMES: Readonly<Partial<Record<Receipt["outcome"], string>>> = {
  succeeded: "complete: the whole answer comes from one attempt",
  "gave-up": "you gave up",
  "retries-exhausted": "failed: all retries are used up",
  patience: "failed: waited as long as the policy allows",
};

/** The receipt for people: the outcome, the totals, then each attempt. */
export function receiptLines(receipt: Receipt): readonly { readonly label: string; readonly text: string }[] {
  const { outcome, attempts, waitedMs, elapsedMs, targets } = receipt;
  return [
    { label: "Outcome", text: `${OUTCOMES[outcome] ?? `failed: ${outcome}`}${sayRest(receipt)}` },
    { label: "Attempts", text: String(attempts) },
    { label: "Waited", text: `${sayDuration(waitedMs)} of ${sayDuration(elapsedMs)}` },
    { label: "Targets", text: targets.map(targetName).join(", ") },
    ...receipt.history.map((record) => ({ label: `Attempt ${record.attempt}`, text: sayAttempt(record) })),
  ];
}

function sayRest({ complete, truncated }: Receipt): string {
  if (complete) return "";
  return truncated ? "; truncated: only part of the answer was shown" : "; no answer text was delivered";
}

function sayAttempt({ target, kind, status, waitedMs }: AttemptRecord): string {
  const end = kind === undefined ? "answered" : sayKindAndStatus({ kind, status }).toLowerCase();
  return `${targetName(target)}: ${end}${waitedMs === undefined ? "" : `, then waited ${sayDuration(waitedMs)}`}`;
}
