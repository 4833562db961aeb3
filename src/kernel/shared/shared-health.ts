import { type BreakerState, isFormerProbe, isProbeDue, isStraggler } from "../health/breaker.ts";
import type { Admission, CooldownScope, Health, Limit } from "../health/health.ts";
import type { ClearableHealth, HealthSnapshot } from "../health/health-snapshot.ts";
import type { MemoryHealth } from "../health/memory-health.ts";
import { isSick } from "../health/provider-health.ts";
import { spreadMs } from "../health/spread.ts";
import type { Failure, FailureKind } from "../model/failure.ts";
import type { BreakerSpec, Policy } from "../model/policy.ts";
import type { Ports } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import { type CallEvent, PLACE_OF } from "./counts.ts";
import type { Known } from "./directory.ts";
import { HealthExchange } from "./exchange.ts";
import type { ExchangeOptions } from "./exchange-options.ts";
import { ProbeLeases } from "./probe-leases.ts";

/**
 * Health of one process that knows what the others know. It asks its own state, at once, as without them; every call is counted,
 * and the counts go to the others, who add them to their own. Without a link it is the health of one process.
 */
export class SharedHealth implements Health, ClearableHealth {
  readonly exchange: HealthExchange;
  readonly #health: MemoryHealth;
  readonly #leases = new ProbeLeases();
  #last: Known | undefined = undefined;
  /** How many asked before it was their process's turn. */
  #early = 0;

  constructor(options: ExchangeOptions) {
    this.#health = options.health;
    this.exchange = new HealthExchange(options);
  }

  get isQuiet(): boolean {
    return this.#health.isQuiet;
  }

  get isFree(): boolean {
    return this.#health.isFree;
  }

  blockedForMs(target: Target, breaker: BreakerSpec | null, nowMs: number): number {
    const blockedMs = this.#health.blockedForMs(target, breaker, nowMs);
    if (breaker === null || blockedMs > 0) return blockedMs;
    if (!this.#needsLease(target, nowMs)) return this.#ownTurnInMs(target, breaker, nowMs);
    return this.#leases.blockedForMs(target.provider, this.exchange.stampOf(target.provider), nowMs);
  }

  admit(target: Target, policy: Policy, nowMs: number, isRetry: boolean): number {
    const { provider } = target;
    // A target that is asked for the first time gets what is known of it.
    const known = this.#knownOf(target);
    this.exchange.specs = policy;
    const turnMs = this.#turnMs(target, policy, nowMs);
    if (turnMs > 0) {
      this.#note(known, "denied");
      return turnMs;
    }
    const before = this.#breakerOf(provider);
    const waitMs = this.#health.admit(target, policy, nowMs, isRetry);
    if (waitMs > 0) this.#note(known, "denied");
    else this.#noteAdmission(known, isRetry && policy.budget !== null && before.phase === "closed");
    this.exchange.noteTurn(provider, before);
    return waitMs > 0 ? this.#apart(waitMs, policy) : 0;
  }

  started(target: Target): void {
    this.#health.started(target);
    this.#note(this.#knownOf(target), "started");
  }

  countAnswer(target: Target, clock: Pick<Ports, "roughNow">): void {
    this.#health.countAnswer(target, clock);
    this.exchange.noteAnswer(target.provider);
    this.#note(this.#knownOf(target), "answered");
  }

  succeeded(attempt: Admission, nowMs: number): void {
    const { target, admittedAtMs } = attempt;
    const before = this.#breakerOf(target.provider);
    this.#health.succeeded(attempt, nowMs);
    this.exchange.noteAnswer(target.provider);
    this.#end(attempt, isStraggler(before, admittedAtMs) ? "answeredLate" : "answered", before);
  }

  failed(attempt: Admission, failure: Failure, nowMs: number): void {
    const before = this.#breakerOf(attempt.target.provider);
    this.#health.failed(attempt, failure, nowMs);
    this.#end(attempt, isCounted(attempt, before) ? eventOf(failure.kind) : "ended", before);
  }

  released(attempt: Admission, nowMs: number): void {
    const before = this.#breakerOf(attempt.target.provider);
    this.#health.released(attempt, nowMs);
    this.#end(attempt, isCounted(attempt, before) ? "released" : "ended", before);
  }

  isRare(target: Target, failure: Failure): boolean {
    return this.#health.isRare(target, failure);
  }

  isCrowded(target: Target, nowMs: number): boolean {
    return this.#health.isCrowded(target, nowMs);
  }

  refusalOf(target: Target, nowMs: number): FailureKind | undefined {
    return this.#health.refusalOf(target, nowMs);
  }

  limitOf(target: Target, breaker: BreakerSpec | null, nowMs: number): Limit | undefined {
    return this.#health.limitOf(target, breaker, nowMs);
  }

  coolDown(target: Target, scope: CooldownScope, untilMs: number): void {
    this.#health.coolDown(target, scope, untilMs);
    this.exchange.tellCooldown(target, scope, untilMs, undefined);
  }

  refuse(target: Target, scope: CooldownScope, untilMs: number, kind: FailureKind): void {
    this.#health.refuse(target, scope, untilMs, kind);
    this.exchange.tellCooldown(target, scope, untilMs, kind);
  }

  snapshot(nowMs: number): HealthSnapshot {
    return this.#health.snapshot(nowMs);
  }

  endCooldown(target: Target, scope: CooldownScope): boolean | Promise<boolean> {
    this.exchange.tellCleared(target, scope);
    return this.#health.endCooldown(target, scope);
  }

  closeBreaker(provider: string): boolean {
    const before = this.#breakerOf(provider);
    const wasOpen = this.#health.closeBreaker(provider);
    this.exchange.noteTurn(provider, before);
    return wasOpen;
  }

  /** How long a call waits for the lease of a probe, or until it is its process's turn. */
  #turnMs(target: Target, { breaker, maxDelayMs }: Policy, nowMs: number): number {
    if (breaker === null) return 0;
    if (this.#needsLease(target, nowMs)) return this.#askLease(target.provider, nowMs);
    const leftMs = this.#ownTurnInMs(target, breaker, nowMs);
    return leftMs === 0 ? 0 : Math.min(leftMs + spreadMs(this.#early++), maxDelayMs ?? Number.POSITIVE_INFINITY);
  }

  /**
   * At the end of a cooldown everyone comes back, in all processes at the same moment, and each of them lets a few calls through before it
   * hears of the others. So each has a moment of its own; a call of another process begins the ramp for all.
   */
  #ownTurnInMs(target: Target, { rampMs }: BreakerSpec, nowMs: number): number {
    if (this.exchange.link === undefined || rampMs === 0) return 0;
    const endMs = this.exchange.parts.cooldowns.endOfUnused(target) ?? Number.POSITIVE_INFINITY;
    return endMs > nowMs ? 0 : Math.max(0, endMs + this.exchange.laterMs - nowMs);
  }

  /** Only one of all processes may send the next call to this provider. */
  #needsLease({ provider }: Target, nowMs: number): boolean {
    return this.exchange.link !== undefined && isProbeDue(this.#breakerOf(provider), nowMs);
  }

  #askLease(provider: string, nowMs: number): number {
    const stamp = this.exchange.stampOf(provider);
    return this.#leases.ask(provider, stamp, nowMs, () => {
      const claim = { provider: this.exchange.sharedName(provider), stamp };
      this.exchange.link?.claim(claim, (isGranted) => this.#leases.answer(provider, stamp, isGranted));
    });
  }

  /** The spread must not turn a wait that the policy allows into one over its cap. */
  #apart(waitMs: number, { maxDelayMs }: Policy): number {
    const laterMs = waitMs + this.exchange.laterMs;
    return maxDelayMs === null ? laterMs : Math.max(waitMs, Math.min(laterMs, maxDelayMs));
  }

  #breakerOf(provider: string): BreakerState {
    return this.exchange.parts.providers.breakerOf(provider);
  }

  #noteAdmission(known: Known, isPaid: boolean): void {
    this.#note(known, isPaid ? "admittedRetry" : "admitted");
    const isOnTheWayBack = this.#breakerOf(known.target.provider).phase === "recovering" || !this.isFree;
    if (isOnTheWayBack) this.exchange.wake(this.exchange.pace.urgentMs);
  }

  #end({ target, policy }: Admission, event: CallEvent, before: BreakerState): void {
    this.exchange.specs = policy;
    this.#note(this.#knownOf(target), event);
    if (!this.isFree) this.exchange.wake(this.exchange.pace.urgentMs);
    else if (event !== "answered" && event !== "answeredLate") this.exchange.wake(this.exchange.pace.soonMs);
    this.exchange.noteTurn(target.provider, before);
  }

  #note(known: Known, event: CallEvent): void {
    const place = PLACE_OF[event];
    known.counts[place] = (known.counts[place] ?? 0) + 1;
    known.hasNews = true;
  }

  /** Most calls go where the last one went. */
  #knownOf(target: Target): Known {
    if (this.#last?.target === target) return this.#last;
    this.#last = this.exchange.knownOf(target);
    return this.#last;
  }
}

/** Whether the end of an attempt tells something of the breaker's present state. */
function isCounted({ policy, admittedAtMs }: Admission, before: BreakerState): boolean {
  return policy.breaker !== null && !isStraggler(before, admittedAtMs) && !isFormerProbe(before, admittedAtMs);
}

function eventOf(kind: FailureKind): CallEvent {
  if (kind === "unknown") return "released";
  if (kind === "silent" || kind === "timeout") return "timedOut";
  if (isSick(kind)) return "sick";
  return kind === "rate_limit" ? "limited" : "refused";
}
