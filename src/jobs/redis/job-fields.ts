import type { Receipt, SavedGeneration } from "../../kernel/index.ts";
import type { Delivery, Job, JobFailure, JobRequest, JobState, SubmitOptions } from "../job.ts";

export type Fields = Readonly<Record<string, string | undefined>>;

/** A hash as a script returns it: names and values in turn. */
export function fieldsOf(flat: unknown): Fields {
  if (!Array.isArray(flat)) return {};
  return Object.fromEntries(
    Array.from({ length: flat.length / 2 }, (_, at) => [flat[2 * at], String(flat[2 * at + 1])]),
  );
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
    updatedAt: Number(fields.updatedAt),
    ...(finishedAt !== undefined && { finishedAt: Number(finishedAt) }),
    ...(deadline && { deadline: Number(deadline) }),
    ...(state === "waiting" && { until: Number(fields.due) }),
    attempts: Number(fields.attempts),
    crashes: Number(fields.crashes),
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
