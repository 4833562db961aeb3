export type {
  FailureKind,
  Health,
  Listener,
  Policy,
  PolicyInput,
  Ports,
  Receipt,
  SavedGeneration,
  TargetEntry,
} from "../kernel/index.ts";
export type { OnHead } from "../providers/line/one-call.ts";
export type {
  EmbedRequest,
  FinishReason,
  Provider,
  ProviderError,
  ProviderEvent,
  ProviderRequest,
  Sampling,
  ToolSpec,
} from "../providers/provider.ts";
export type { Redact } from "../wire/index.ts";
export type {
  AssistantMessage,
  AssistantPart,
  Message,
  ToolCallPart,
  ToolMessage,
  Usage,
  UserMessage,
} from "../wire/message.ts";
export {
  type Delivery,
  JOB_STATES,
  type Job,
  type JobCounts,
  type JobFailure,
  type JobFilter,
  type JobPage,
  type JobRequest,
  type JobResult,
  type JobRunner,
  type JobState,
  type SubmitOptions,
  type Verdict,
} from "./job.ts";
export type { JobEntry, Jobs, JobsOptions, JobWorker, WorkOptions } from "./jobs.ts";
export { JobsError, type JobsErrorCode } from "./jobs-error.ts";
export { defaultJobsPath, type OpenJobsOptions, openJobs } from "./open-jobs.ts";
export { type JobWatch, jobRunner, type RunnerParts } from "./run-job.ts";
