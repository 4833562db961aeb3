import { type RateLimits, readRateLimits } from "../classify/read-rate-limits.ts";
import type { Failure, FailureKind } from "../model/failure.ts";
import type { BreakerSpec, Policy } from "../model/policy.ts";
import type { Ports } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import type { Admission, CooldownScope, Health, Limit } from "./health.ts";
import {
  askPace,
  newPace,
  type Pace,
  type PaceReason,
  type PaceSpec,
  paceAfterAcceptance,
  paceAfterAnswer,
  paceAfterEnd,
  paceAfterLimits,
  paceAfterLook,
  paceAfterRefusal,
  paceAfterStart,
  paceFreeInMs,
  paceRate,
  paceReason,
  type Refusal,
} from "./pace.ts";

/** How fast a target is used, for people. */
export interface PaceFacts {
  readonly target: Target;
  /** Calls at the same time that are allowed. */
  readonly width: number;
  /** More than that was too much. False: it still grows. */
  readonly isNarrow: boolean;
  readonly underWay: number;
  /** Calls per minute that are allowed. Undefined: no limit is known. */
  readonly perMinute: number | undefined;
  /** What holds the next call back. Undefined: nothing. */
  readonly reason: PaceReason | undefined;
}

/** One response as its headers show it, before its body. */
export interface ResponseHead {
  readonly startedMs: number;
  readonly status: number;
  readonly headers: unknown;
}

/** Weight of the newest call in what a call takes. */
const WEIGHT = 0.1;

interface Known {
  readonly target: Target;
  pace: Pace;
  /** Tokens that a call takes, smoothed. 0: not known. */
  tokensPerCall: number;
}

/**
 * Another health, and a pace for each credential and model on top of it: calls start no faster than the endpoint accepts them. It is
 * never quiet, so every call asks.
 */
export class PacedHealth implements Health {
  readonly isQuiet = false;
  readonly isFree = false;
  readonly #inner: Health;
  readonly #spec: PaceSpec;
  readonly #known = new Map<string, Known>();

  constructor(inner: Health, spec: PaceSpec) {
    this.#inner = inner;
    this.#spec = spec;
  }

  /** Milliseconds until a new call to the target may start; 0: now. Those who wait already go first. */
  freeInMs(target: Target, policy: Policy, nowMs: number): number {
    const known = this.#of(target);
    const paceMs = paceFreeInMs(known.pace, nowMs);
    if (paceMs > 0) known.pace = paceAfterLook(known.pace, nowMs);
    return Math.max(paceMs, this.#inner.blockedForMs(target, policy.breaker, nowMs));
  }

  /** The head of a response has come. `wallMs`: for headers that name a moment. */
  noteHead(target: Target, { startedMs, status, headers }: ResponseHead, nowMs: number, wallMs: number): void {
    const known = this.#of(target);
    if (status < 400) known.pace = paceAfterAcceptance(known.pace, startedMs, nowMs);
    const limits: RateLimits = readRateLimits(headers, wallMs);
    known.pace = paceAfterLimits(known.pace, limits, known.tokensPerCall, nowMs);
  }

  /** What a call took. */
  noteTokens(target: Target, tokens: number): void {
    const known = this.#of(target);
    const { tokensPerCall: before } = known;
    known.tokensPerCall = before === 0 ? tokens : before + (tokens - before) * WEIGHT;
  }

  facts(nowMs: number): readonly PaceFacts[] {
    return Array.from(this.#known.values(), ({ target, pace }) => {
      const perSecond = paceRate(pace, nowMs);
      const perMinute = perSecond === Number.POSITIVE_INFINITY ? undefined : perSecond * 60;
      const { underWay } = pace;
      const width = { width: Math.floor(pace.width.calls), isNarrow: pace.width.ceiling !== Number.POSITIVE_INFINITY };
      return { target, ...width, underWay, perMinute, reason: paceReason(pace, nowMs) };
    });
  }

  admit(target: Target, policy: Policy, nowMs: number, isRetry: boolean): number {
    const known = this.#of(target);
    const asked = askPace(known.pace, nowMs);
    if (asked.waitMs > 0) {
      known.pace = asked.pace;
      return asked.waitMs;
    }
    // Only a call that really starts takes a place.
    const waitMs = this.#inner.admit(target, policy, nowMs, isRetry);
    if (waitMs === 0) known.pace = asked.pace;
    return waitMs;
  }

  started(target: Target): void {
    const known = this.#of(target);
    known.pace = paceAfterStart(known.pace);
    this.#inner.started?.(target);
  }

  succeeded(attempt: Admission, nowMs: number): void {
    const known = this.#of(attempt.target);
    known.pace = paceAfterAnswer(known.pace, attempt.admittedAtMs, nowMs);
    this.#inner.succeeded(attempt, nowMs);
  }

  failed(attempt: Admission, failure: Failure, nowMs: number): void {
    const known = this.#of(attempt.target);
    const of = limitOf(failure);
    const { hintMs } = failure;
    known.pace =
      of === undefined
        ? paceAfterEnd(known.pace)
        : paceAfterRefusal(known.pace, { of, startedMs: attempt.admittedAtMs, hintMs }, nowMs);
    this.#inner.failed(attempt, failure, nowMs);
  }

  released(attempt: Admission, nowMs: number): void {
    const known = this.#of(attempt.target);
    known.pace = paceAfterEnd(known.pace);
    this.#inner.released(attempt, nowMs);
  }

  blockedForMs(target: Target, breaker: BreakerSpec | null, nowMs: number): number {
    const paceMs = paceFreeInMs(this.#of(target).pace, nowMs);
    return Math.max(paceMs, this.#inner.blockedForMs(target, breaker, nowMs));
  }

  countAnswer(target: Target, clock: Pick<Ports, "roughNow">): void {
    this.#inner.countAnswer?.(target, clock);
  }

  refusalOf(target: Target, nowMs: number): FailureKind | undefined {
    return this.#inner.refusalOf?.(target, nowMs);
  }

  isCrowded(target: Target, nowMs: number): boolean {
    return this.#inner.isCrowded?.(target, nowMs) ?? false;
  }

  limitOf(target: Target, breaker: BreakerSpec | null, nowMs: number): Limit | undefined {
    return this.#inner.limitOf?.(target, breaker, nowMs);
  }

  isRare(target: Target, failure: Failure): boolean {
    return this.#inner.isRare?.(target, failure) ?? false;
  }

  coolDown(target: Target, scope: CooldownScope, untilMs: number): void {
    this.#inner.coolDown(target, scope, untilMs);
  }

  refuse(target: Target, scope: CooldownScope, untilMs: number, kind: FailureKind): void {
    if (this.#inner.refuse !== undefined) this.#inner.refuse(target, scope, untilMs, kind);
    else if (kind !== "usage_limit") this.#inner.coolDown(target, scope, untilMs);
  }

  #of(target: Target): Known {
    const key = `${target.provider}\0${target.model}\0${target.credential}`;
    const known = this.#known.get(key) ?? { target, pace: newPace(this.#spec), tokensPerCall: 0 };
    this.#known.set(key, known);
    return known;
  }
}

/** What a failure says about how fast calls may come. Undefined: nothing. */
function limitOf({ kind, retryable, hintMs, message }: Failure): Refusal["of"] | undefined {
  if (kind === "overloaded") return "width";
  if (kind !== "rate_limit" || !retryable) return undefined;
  if (/concurren/i.test(message)) return "width";
  return hintMs === undefined ? "either" : "rate";
}
