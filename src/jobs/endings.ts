import type { Receipt, SavedGeneration } from "../kernel/index.ts";
import type { JobFailure, JobResult, JobState, Verdict } from "./job.ts";
import { tooLarge } from "./new-job.ts";

/** The states in which a job still has something to come. */
export const OPEN_STATES = ["accepted", "running", "waiting"] as const satisfies readonly JobState[];

export function isOpen(state: JobState): boolean {
  return (OPEN_STATES as readonly JobState[]).includes(state);
}

/** What a verdict writes, as texts. */
export interface Outcome {
  readonly state: "done" | "failed" | "waiting";
  readonly attempts: number;
  readonly failure: string | null;
  readonly receipt: string;
  readonly result: string | null;
  readonly saved: string | null;
  readonly until: number | null;
}

/** A result that does not fit and a wait without an end make the job fail: they would fail to be stored each time. */
export function outcomeOf(verdict: Exclude<Verdict, { type: "released" }>, maxBytes: number): Outcome {
  const { receipt } = verdict;
  const result = verdict.type === "done" ? JSON.stringify(verdict.result satisfies JobResult) : null;
  const bytes = result === null ? 0 : Buffer.byteLength(result);
  if (bytes > maxBytes) {
    const { message } = tooLarge("result", bytes, maxBytes);
    const failure: JobFailure = { reason: "too-large", kind: "unknown", message };
    return outcomeOf({ type: "failed", failure, receipt: { ...receipt, complete: false } }, maxBytes);
  }
  if (verdict.type === "waiting" && !Number.isFinite(verdict.saved.until)) {
    const message = `The runner returned a wait whose end is no time: ${verdict.saved.until}.`;
    const failure: JobFailure = { reason: "engine-fault", kind: "unknown", message };
    return outcomeOf({ type: "failed", failure, receipt: { ...receipt, complete: false } }, maxBytes);
  }
  const saved: SavedGeneration | undefined = verdict.type === "waiting" ? verdict.saved : undefined;
  return {
    state: verdict.type,
    attempts: receipt.attempts,
    failure: verdict.type === "done" ? null : JSON.stringify(verdict.failure),
    receipt: JSON.stringify(receipt),
    result,
    saved: saved === undefined ? null : JSON.stringify(saved),
    until: saved?.until ?? null,
  };
}

/** The receipt of a job that ended while no generation of it was under way; `last`: of its last wait. */
export function endedReceipt(id: string, last: Receipt | undefined, outcome: "aborted" | "gave-up"): Receipt {
  return { ...(last ?? emptyReceipt(id)), outcome, complete: false };
}

function emptyReceipt(id: string): Receipt {
  return {
    generationId: id,
    complete: false,
    truncated: false,
    outcome: "running",
    ...{ attempts: 0, calls: 0, waitedMs: 0, patienceMs: null, elapsedMs: 0 },
    ...{ targets: [], history: [], warnings: [] },
  };
}

export function poisonFailure(crashes: number, last: JobFailure | undefined): JobFailure {
  const before = last === undefined ? "" : ` Before that: ${last.message}`;
  const message = `Its worker was lost ${crashes} times in a row, so the job is not tried again.${before}`;
  return { reason: "poison", kind: "unknown", message };
}

/**
 * From so many crashes in a row on a job is suspect: a worker runs one suspect at a time. When a job kills its worker, the jobs beside
 * it die too, again and again; among suspects only the guilty one dies further.
 */
export const SUSPECT_FROM = 3;
export const LONGEST_CRASH_DELAY_MS = 60_000;

/**
 * How long a job stays away after its worker was lost again: a job that kills its workers would otherwise take down the jobs beside
 * it, one worker after another. The first times it goes on at once, because most workers die for another reason.
 */
export function crashDelayMs(crashes: number, firstMs: number): number {
  if (crashes <= SUSPECT_FROM) return 0;
  return Math.min(firstMs * 2 ** (crashes - SUSPECT_FROM - 1), LONGEST_CRASH_DELAY_MS);
}
