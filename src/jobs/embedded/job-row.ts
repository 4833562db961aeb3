import type { Receipt } from "../../kernel/index.ts";
import type { Job, JobFailure, JobState } from "../job.ts";

/** A row of `jobs`. */
export interface JobRow {
  readonly seq: number;
  readonly id: string;
  readonly key: string | null;
  readonly fingerprint: string;
  readonly grp: string | null;
  readonly state: JobState;
  readonly model: string;
  readonly policy: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly finished_at: number | null;
  readonly deadline: number | null;
  readonly due: number;
  readonly epoch: number;
  readonly attempts: number;
  readonly crashes: number;
  readonly is_poison: number;
  readonly retry_now: number;
  readonly failure: string | null;
  readonly receipt: string | null;
  readonly rev: number;
}

export interface BodyRow {
  readonly seq: number;
  readonly request: string;
  readonly policy: string;
  readonly saved: string | null;
  readonly result: string | null;
}

export function jobOf(row: JobRow): Job {
  const { id, key, grp, state, model, policy, deadline, attempts, crashes, failure, receipt } = row;
  return {
    id,
    ...(key !== null && { key }),
    ...(grp !== null && { group: grp }),
    ...{ state, model, policy },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.finished_at !== null && { finishedAt: row.finished_at }),
    ...(deadline !== null && { deadline }),
    ...(state === "waiting" && { until: row.due }),
    ...{ attempts, crashes },
    ...(failure !== null && { failure: JSON.parse(failure) as JobFailure }),
    ...(receipt !== null && { receipt: JSON.parse(receipt) as Receipt }),
  };
}
