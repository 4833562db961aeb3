import type { FailureKind, PolicyInput, Receipt, SavedGeneration } from "../kernel/index.ts";
import type { Message, Usage } from "../wire/index.ts";

/** In the order in which a job goes through them; the last three are final. */
export const JOB_STATES = ["accepted", "running", "waiting", "done", "failed", "cancelled"] as const;
export type JobState = (typeof JOB_STATES)[number];

/** What is asked of a model. Jobs have no tools. Plain JSON. */
export interface JobRequest {
  /** `provider/model`, or an alias that the workers know. */
  readonly model: string;
  /** Models to fall back to, in order. */
  readonly fallbacks?: readonly string[];
  readonly system?: string;
  readonly messages: readonly Message[];
  readonly maxTokens?: number;
  /** Reasoning effort. Default: the model's own. */
  readonly reasoning?: "low" | "medium" | "high";
}

export interface SubmitOptions {
  /** Idempotency: a second submit with this key returns the first job's id. A different request with it is refused. */
  readonly key?: string;
  /** Joins jobs that belong together, such as the lines of a batch. */
  readonly group?: string;
  /** A preset's name, or changes of `patient`. Default `patient`: waits of up to 8 h in all. */
  readonly policy?: string | PolicyInput;
  /** Epoch milliseconds: a job that has no answer by then has failed. Default: none. */
  readonly deadline?: number;
}

/** Why a job failed. */
export interface JobFailure {
  /** `poison`: its workers died, again and again. `deadline`: it was not done in time. Otherwise why the generation stopped. */
  readonly reason: string;
  readonly kind: FailureKind;
  /** The endpoint's words, verbatim; secrets are taken out. */
  readonly message: string;
  readonly status?: number;
}

/** A job as it stands. Has neither its request nor its result: see `request` and `result`. */
export interface Job {
  /** Also the id of its generation. */
  readonly id: string;
  readonly key?: string;
  readonly group?: string;
  readonly state: JobState;
  readonly model: string;
  /** The policy's name. */
  readonly policy: string;
  /** Epoch milliseconds, like all times here. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly finishedAt?: number;
  readonly deadline?: number;
  /** While it waits: when it goes on. */
  readonly until?: number;
  /** Attempts made before the last wait, or in all once it is final. */
  readonly attempts: number;
  /** How often in a row a worker was lost with it. */
  readonly crashes: number;
  /** While it waits: what it waits to retry. Once it has failed: why. */
  readonly failure?: JobFailure;
  /** Of the last wait or of the end. Absent: no attempt has ended yet. */
  readonly receipt?: Receipt;
}

/** The answer of a job that is done. */
export interface JobResult {
  readonly text: string;
  readonly reasoning?: string;
  /** `provider/model` that gave the answer. */
  readonly model: string;
  readonly stopReason: "end" | "length" | "content-filter";
  readonly usage?: Usage;
}

export interface JobFilter {
  /** Default: all. */
  readonly states?: readonly JobState[];
  readonly group?: string;
  /** Only jobs whose workers died again and again. */
  readonly isPoison?: boolean;
  /** 1 to 1000; default 100. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly after?: string;
}

/** The newest job first. */
export interface JobPage {
  readonly jobs: readonly Job[];
  /** Absent: this is the last page. */
  readonly next?: string;
}

export interface JobCounts extends Readonly<Record<JobState, number>> {
  /** Of `failed`: those whose workers died again and again. */
  readonly poison: number;
  /** Running jobs whose worker has not shown life for longer than its lease. */
  readonly stalled: number;
  /** When the oldest job that is not final was accepted, epoch ms. */
  readonly oldestAt?: number;
}

/** What a worker has to run. */
export interface Delivery {
  readonly job: Job;
  readonly request: JobRequest;
  /** As it was submitted. */
  readonly policy: string | PolicyInput;
  /** Where the generation goes on; absent: it starts. */
  readonly saved?: SavedGeneration;
  /** A person has ended the wait. */
  readonly isRetriedNow: boolean;
  /** Aborts when the job was cancelled, when the lease was lost, or when the worker closes and does not wait any longer. */
  readonly signal: AbortSignal;
}

/** How a delivery ended. The queue commits it if the delivery is still the job's latest. */
export type Verdict =
  | { readonly type: "done"; readonly result: JobResult; readonly receipt: Receipt }
  | { readonly type: "failed"; readonly failure: JobFailure; readonly receipt: Receipt }
  | {
      readonly type: "waiting";
      readonly saved: SavedGeneration;
      readonly failure: JobFailure;
      readonly receipt: Receipt;
    }
  /** It was interrupted: the job goes on later from where it was, and this was no crash. */
  | { readonly type: "released" };

/** Runs one delivery. Never rejects for what a provider did: that is a verdict. */
export type JobRunner = (delivery: Delivery) => Promise<Verdict>;
