import type { Receipt, SavedGeneration } from "../../kernel/index.ts";
import type { Delivery, Job, JobFailure, JobRequest, JobState, SubmitOptions } from "../job.ts";

export type Fields = Readonly<Record<string, string | undefined>>;

/** What a delivery needs of a job, in the order in which scripts return it. `take` needs the first three itself. */
export const JOB_FIELDS = [
  ...[
    "state",
    "epoch",
    "seq",
    "id",
    "key",
    "group",
    "model",
    "policy",
    "createdAt",
    "updatedAt",
    "finishedAt",
    "deadline",
    "until",
  ],
  ...["attempts", "crashes", "failure", "receipt", "retryNow"],
] as const;
export const BODY_FIELDS = ["request", "policy", "saved"] as const;

/** Values as a script returns them, by their names. */
export function fieldsOf(names: readonly string[], values: unknown): Fields {
  const fields: Record<string, string> = {};
  if (!Array.isArray(values)) return fields;
  for (let at = 0; at < names.length; at++) {
    const value: unknown = values[at];
    if (value !== null && value !== undefined) fields[names[at] as string] = String(value);
  }
  return fields;
}

/** Undefined: there is no such job. */
export function jobOf(fields: Fields): Job | undefined {
  const { id, key, group, model = "", policy = "", deadline, finishedAt, failure, receipt } = fields;
  if (id === undefined) return undefined;
  const state = fields.state as JobState;
  return {
    id,
    ...(key && { key }),
    ...(group && { group }),
    ...{ state, model, policy },
    createdAt: Number(fields.createdAt),
    updatedAt: Number(fields.updatedAt ?? fields.createdAt),
    ...(finishedAt !== undefined && { finishedAt: Number(finishedAt) }),
    ...(deadline && { deadline: Number(deadline) }),
    ...(state === "waiting" && { until: Number(fields.until) }),
    attempts: Number(fields.attempts ?? 0),
    crashes: Number(fields.crashes ?? 0),
    ...(failure !== undefined && { failure: JSON.parse(failure) as JobFailure }),
    ...(receipt !== undefined && { receipt: JSON.parse(receipt) as Receipt }),
  };
}

export function deliveryOf(job: Job, fields: Fields, body: Fields, signal: AbortSignal): Delivery {
  const { request = "", policy = '"patient"', saved } = body;
  return {
    job,
    request: JSON.parse(request) as JobRequest,
    policy: JSON.parse(policy) as NonNullable<SubmitOptions["policy"]>,
    ...(saved !== undefined && { saved: JSON.parse(saved) as SavedGeneration }),
    isRetriedNow: fields.retryNow === "1",
    signal,
  };
}
