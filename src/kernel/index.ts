export type { TextOf, Unread } from "./attempt/answer-text.ts";
export type { Attempt, AttemptContext, AttemptOwner } from "./attempt/attempt.ts";
export type { Discarded, Sink } from "./attempt/delivery.ts";
export type { Reading } from "./attempt/reading.ts";
export { type ToolArguments, toolArguments } from "./attempt/tool-arguments.ts";
export { type ClassifyContext, classify } from "./classify/classify.ts";
export { type RateLimit, type RateLimits, readRateLimits } from "./classify/read-rate-limits.ts";
export { BASE_POLICY } from "./decide/base-policy.ts";
export { type Chain, chainOf, SINGLE_TARGET } from "./decide/chain.ts";
export { decide } from "./decide/decide.ts";
export { decideBlocked, type HeldBackBy } from "./decide/decide-blocked.ts";
export { type Changes, definePolicy, type PolicyInput, type RuleInput } from "./decide/define-policy.ts";
export { checkDelayFor } from "./decide/next-delay.ts";
export { isPolicy, type PreparedPolicy, type PreparedRule, preparePolicy } from "./decide/prepare-policy.ts";
export { type Schedule, type ScheduleDraw, STEPPED_PATIENT, schedule } from "./decide/schedule.ts";
export { MAX_DELAY_MS } from "./decide/schedule-check.ts";
export type { BlockedSituation, Situation, Standing } from "./decide/situation.ts";
export { headerText, receiptHeaders } from "./finish/receipt-headers.ts";
export { type Ended, type Result, resultOf } from "./finish/result.ts";
export { GuardedHealth } from "./health/guarded-health.ts";
export type { Admission, CooldownScope, Health, HealthView, Limit } from "./health/health.ts";
export type { BreakerFacts, ClearableHealth, CooldownFacts, HealthSnapshot } from "./health/health-snapshot.ts";
export { MemoryHealth } from "./health/memory-health.ts";
export type { PaceReason, PaceSpec } from "./health/pace.ts";
export { PacedHealth, type PaceFacts, type ResponseHead } from "./health/paced-health.ts";
export {
  type Bounds,
  checkArray,
  checkBoolean,
  checkNumber,
  checkObject,
  checkOneOf,
  checkString,
  withDefaults,
} from "./model/check.ts";
export { type Decision, STOP_REASONS, type StopReason } from "./model/decision.ts";
export type { EventBody, GenerationEvent, GenerationHandle, Listener } from "./model/event.ts";
export {
  type Confidence,
  FAILURE_KINDS,
  type Failure,
  type FailureKind,
  type FailureScope,
  type GivenUp,
} from "./model/failure.ts";
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
export { RECEIPT, receiptOn, setReceipt } from "./model/receipt-mark.ts";
export { sayDuration } from "./model/say-duration.ts";
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
export { type CallingSource, PULL } from "./run/calling-source.ts";
export type { Leave } from "./run/decide-next.ts";
export { FlowingGeneration, type FlowReader, type SettlingSource } from "./run/flowing-generation.ts";
export type { Generation } from "./run/generation.ts";
export { runningWait } from "./run/running-wait.ts";
export type { Resumption, SavedGeneration } from "./run/saved-generation.ts";
export type { Setup } from "./run/setup.ts";
export type { Outcome, Phase } from "./run/state.ts";
export { StreamGeneration } from "./run/stream-generation.ts";
export type { AttemptStream, StreamSetup, Waiter } from "./run/stream-setup.ts";
export type { Trail } from "./run/trail.ts";
export { type Fact, readFact, type SentFact, sentFact } from "./shared/fact.ts";
export type { Announcement, HealthLink, ProbeClaim } from "./shared/link.ts";
export type { SharedName } from "./shared/message.ts";
export { LEASE_MS } from "./shared/probe-leases.ts";
