export {
  type AttemptCall,
  type AttemptContext,
  type AttemptRecord,
  type AttemptStream,
  type ClassifyContext,
  type ClassifyRule,
  type ContentRequirement,
  classify,
  type Decision,
  type Discarded,
  definePolicy,
  FAILURE_KINDS,
  type Failure,
  type FailureKind,
  type FailureScope,
  type GenerationEvent,
  type GenerationHandle,
  type Health,
  InvalidInput,
  type Listener,
  MemoryHealth,
  type Policy,
  type PolicyInput,
  type Ports,
  type Reading,
  type Receipt,
  type Result,
  type RuleInput,
  receiptHeaders,
  type Schedule,
  type ScheduleSpec,
  type Sink,
  type StopReason,
  schedule,
  type Target,
  type TargetEntry,
  type TextOf,
  toolArguments,
} from "./kernel/index.ts";
export { type Call, type Resilient, type ResilientOptions, resilient } from "./library/resilient.ts";
export { ResponseError } from "./library/response-error.ts";
export { type RunningGeneration, type RunOptions, run, start } from "./library/run.ts";
export { receiptOf, SecondwindError } from "./library/secondwind-error.ts";
export type { EngineOptions, GenerationOptions } from "./library/setup.ts";
export { type GenerationStream, type StreamOptions, stream } from "./library/stream.ts";
export {
  backgroundPolicy,
  consolePolicy,
  defaultPolicy,
  patientPolicy,
  sessionPolicy,
  tavernPolicy,
} from "./presets/index.ts";
export { createContentCheck, sleep, systemPorts, validatePattern } from "./system/index.ts";
