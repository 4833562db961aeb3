import type { Job, JobCounts, JobFilter, JobPage, JobRequest, JobResult, JobRunner, SubmitOptions } from "./job.ts";

/**
 * Durable generations. What was accepted is finished, whatever dies meanwhile; one result is committed; calls to providers are made
 * at least once. The port that SQLite and Redis stand behind.
 */
export interface Jobs {
  /** Resolves with the job's id once the job is on the disk. Throws `InvalidInput`, or `JobsError` with `key-reused` or `too-large`. */
  submit(request: JobRequest, options?: SubmitOptions): Promise<string>;
  /** The same for many, in few commits. Ids in the order of the entries. Throws before anything is stored if one is invalid. */
  submitAll(entries: readonly JobEntry[]): Promise<readonly string[]>;
  get(id: string): Promise<Job | undefined>;
  list(filter?: JobFilter): Promise<JobPage>;
  request(id: string): Promise<JobRequest | undefined>;
  /** Undefined: the job is not done, or not known. */
  result(id: string): Promise<JobResult | undefined>;
  /** Ends a job that is not final, a running call included. False: it was final already, or is not known. */
  cancel(id: string): Promise<boolean>;
  /**
   * A waiting job goes on at once. One that failed or was cancelled is accepted again and starts anew. False: it is accepted,
   * running or done, or not known.
   */
  retryNow(id: string): Promise<boolean>;
  /** The job as it stands, then every change, until it is final. Ends at once for an unknown id. May skip states that pass quickly. */
  watch(id: string, options?: { readonly signal?: AbortSignal | undefined }): AsyncIterable<Job>;
  /** Hears every change of every job, in this process or another. Changes of one job that come quickly may be heard as one. */
  onChange(listener: (job: Job) => void): () => void;
  counts(): Promise<JobCounts>;
  /** Whether the jobs' store answers; else what is wrong, in words. */
  check(): Promise<{ readonly ok: true } | { readonly ok: false; readonly problem: string }>;
  /** Runs jobs in this process until it is closed. Any number of processes may do so. */
  work(run: JobRunner, options?: WorkOptions): JobWorker;
  /** Closes the workers first, then the store. */
  close(): Promise<void>;
}

export interface JobEntry {
  readonly request: JobRequest;
  readonly options?: SubmitOptions;
}

export interface WorkOptions {
  /** Jobs at the same time, 1 to 10,000; default 50. Waiting jobs do not count. */
  readonly concurrency?: number;
}

export interface JobWorker {
  /** Jobs that run here now. */
  readonly running: number;
  /**
   * Takes no more jobs. Running ones get `drainMs` (default 0) to end or to reach a wait; those that are left are interrupted and go
   * on elsewhere, which is no crash.
   */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

/** Settings that both implementations have. */
export interface JobsOptions {
  /** How long a final job is kept, in ms; default 7 days, at least 1 minute. */
  readonly keepMs?: number;
  /** A worker that shows no life for so long has lost its jobs, in ms; default 10,000, 1000 to 60,000. */
  readonly leaseMs?: number;
  /** A job whose workers died so often in a row is given up as poison; default 25, 4 to 1000. */
  readonly poisonAfter?: number;
  /** A job whose worker was lost four times in a row stays away for so long, twice as long each further time up to a minute; default 1000, 0 to 60,000. */
  readonly crashDelayMs?: number;
  /** The largest request and the largest result, as JSON in bytes; default 16 MiB, at most 128 MiB. */
  readonly maxBytes?: number;
}
