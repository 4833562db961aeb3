export type { AttemptContext } from "./attempt/attempt.ts";
export type { Discarded, Sink } from "./attempt/delivery.ts";
export type { Reading } from "./attempt/reading.ts";
export { type ToolArguments, toolArguments } from "./attempt/tool-arguments.ts";
export { type ClassifyContext, classify } from "./classify/index.ts";
export {
  BASE_POLICY,
  type BlockedSituation,
  type Chain,
  chainOf,
  decide,
  decideBlocked,
  definePolicy,
  isPolicy,
  MAX_DELAY_MS,
  type PolicyInput,
  type PreparedPolicy,
  preparePolicy,
  type RuleInput,
  type Schedule,
  SINGLE_TARGET,
  type Situation,
  STEPPED_PATIENT,
  type Standing,
  schedule,
} from "./decide/index.ts";
export { receiptHeaders } from "./finish/receipt-headers.ts";
export { type Ended, type Result, resultOf } from "./finish/result.ts";
export {
  type Admission,
  type CooldownScope,
  GuardedHealth,
  type Health,
  type HealthView,
  MemoryHealth,
} from "./health/index.ts";
export {
  checkArray,
  checkBoolean,
  checkNumber,
  checkObject,
  checkOneOf,
  checkString,
  withDefaults,
} from "./model/check.ts";
export { type Decision, STOP_REASONS, type StopReason } from "./model/decision.ts";
export type { GenerationEvent, GenerationHandle, Listener } from "./model/event.ts";
export { FAILURE_KINDS, type Failure, type FailureKind, type FailureScope } from "./model/failure.ts";
export { InvalidInput, show } from "./model/invalid-input.ts";
export type {
  BreakerSpec,
  ClassifyRule,
  ContentRequirement,
  FallbackPolicy,
  GenerationFilter,
  Policy,
  RetryBudgetSpec,
  Rule,
} from "./model/policy.ts";
export type { Abortable, AbortHandle, ContentCheck, ContentVerdict, Ports, Sleeper, Watched } from "./model/ports.ts";
export type { AttemptRecord, Receipt } from "./model/receipt.ts";
export type {
  ExponentialSpec,
  FibonacciSpec,
  FixedSpec,
  Jitter,
  ScheduleLimits,
  ScheduleSpec,
  SteppedSpec,
} from "./model/schedule-spec.ts";
export { type Target, type TargetEntry, targetName } from "./model/target.ts";
export { type AttemptCall, CallGeneration, type CallSetup } from "./run/call-generation.ts";
export type { Setup } from "./run/setup.ts";
export { type AttemptStream, StreamGeneration, type StreamSetup } from "./run/stream-generation.ts";
