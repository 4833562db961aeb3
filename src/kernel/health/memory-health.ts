import { DEFAULT_SCOPE } from "../classify/failure-defaults.ts";
import type { Failure, FailureKind } from "../model/failure.ts";
import type { BreakerSpec, Policy, RetryBudgetSpec } from "../model/policy.ts";
import type { Target } from "../model/target.ts";
import {
  type BreakerState,
  breakerAfterAdmission,
  breakerAfterDenial,
  breakerAfterFailure,
  breakerAfterRelease,
  breakerAfterSuccess,
  breakerBlockedForMs,
  breakerWaitMs,
  CLOSED,
  isFormerProbe,
  isStraggler,
} from "./breaker.ts";
import { CooldownTable } from "./cooldown-table.ts";
import type { Admission, CooldownScope, Health, Limit } from "./health.ts";
import { rampAfterFailure, rampAfterRelease, rampAfterSuccess } from "./ramp.ts";
import { budgetAfterRetry, budgetAfterSuccess, capacityOf, hasRetryToken, type RetryBudget } from "./retry-budget.ts";
import { ASK_AGAIN_MS, spreadMs } from "./spread.ts";
import { LOT, NO_TRAFFIC, trafficAfterLot, trafficAfterOutage } from "./traffic.ts";

interface ProviderHealth {
  breaker: BreakerState;
  /** Undefined: the budget is full. */
  budget: RetryBudget | undefined;
  /** How many retries were turned away for want of a token. */
  turnedAway: number;
}

/** Health of one process: plain maps. */
export class MemoryHealth implements Health {
  isQuiet = true;
  #known: Map<string, ProviderHealth> | undefined = undefined;
  readonly #cooldowns = new CooldownTable();
  /** Breakers that are not closed. */
  #shut = 0;
  /** Of the whole process: in good weather nearly all of it goes to one provider. */
  #traffic = NO_TRAFFIC;
  #answers = 0;

  /** Only of providers that something is known against. Made at the first failure: a stream has a health of its own. */
  get #providers(): Map<string, ProviderHealth> {
    this.#known ??= new Map();
    return this.#known;
  }

  get isFree(): boolean {
    return this.#shut === 0 && this.#cooldowns.isEmpty;
  }

  blockedForMs(target: Target, breaker: BreakerSpec | null, nowMs: number): number {
    const coolingMs = this.#cooldowns.blockedForMs(target, breaker, nowMs);
    const provider = breaker === null ? undefined : this.#providers.get(target.provider);
    if (breaker === null || provider === undefined) return coolingMs;
    return Math.max(coolingMs, breakerBlockedForMs(provider.breaker, breaker, nowMs));
  }

  admit(target: Target, policy: Policy, nowMs: number, isRetry: boolean): number {
    const { breaker } = policy;
    const coolingMs = this.#cooldowns.ask(target, policy, nowMs);
    const provider = breaker === null ? undefined : this.#providers.get(target.provider);
    // While a breaker is not closed it controls retries; the budget would only add waits.
    if (breaker !== null && provider !== undefined && provider.breaker.phase !== "closed") {
      const waitMs = turnAway(provider, breaker, nowMs);
      if (waitMs > 0) return Math.max(coolingMs, waitMs);
      if (coolingMs > 0) return coolingMs;
      this.#turn(provider, breakerAfterAdmission(provider.breaker, breaker, nowMs));
      this.#forgetIfWell(target.provider, provider);
    } else if (isRetry && coolingMs === 0 && policy.budget !== null) {
      const waitMs = this.#spendRetry(this.#provider(target), policy.budget, nowMs);
      if (waitMs > 0) return waitMs;
    }
    if (coolingMs > 0) return coolingMs;
    this.#cooldowns.takePlace(target, breaker, this.#traffic.perSecond, nowMs);
    this.#listen();
    return 0;
  }

  /** Takes a token; 0: there was one. */
  #spendRetry(provider: ProviderHealth, spec: RetryBudgetSpec, nowMs: number): number {
    const budget = provider.budget ?? { tokens: capacityOf(spec, this.#traffic.perSecond), lookedMs: nowMs };
    if (!hasRetryToken(budget, spec, nowMs)) return ASK_AGAIN_MS + spreadMs(provider.turnedAway++);
    provider.budget = budgetAfterRetry(budget, spec, nowMs);
    return 0;
  }

  /** A success while it is quiet. */
  countAnswer(now: () => number): void {
    if ((++this.#answers & (LOT - 1)) === 0) this.#traffic = trafficAfterLot(this.#traffic, now());
  }

  succeeded(attempt: Admission, nowMs: number): void {
    const { target, policy, admittedAtMs } = attempt;
    this.#cooldowns.ended(attempt, nowMs, rampAfterSuccess);
    this.#cooldowns.noteAnswer(target, nowMs);
    if (this.isFree) this.countAnswer(() => nowMs);
    const provider = this.#providers.get(target.provider);
    if (provider === undefined) return;
    if (!isStraggler(provider.breaker, admittedAtMs))
      this.#turn(provider, breakerAfterSuccess(provider.breaker, nowMs));
    if (policy.budget !== null && provider.budget !== undefined) {
      provider.budget = budgetAfterSuccess(provider.budget, policy.budget, this.#traffic.perSecond, nowMs);
    }
    this.#forgetIfWell(target.provider, provider);
  }

  failed(attempt: Admission, failure: Failure, nowMs: number): void {
    const { target, policy, admittedAtMs } = attempt;
    if (policy.breaker === null) return;
    // Perhaps a bug in the caller's code: no sign of the provider's health.
    if (failure.kind === "unknown") return this.released(attempt, nowMs);
    // Kinds that mean a sick provider. A rate limit or a bad request does not.
    const isSick = failure.kind === "overloaded" || DEFAULT_SCOPE[failure.kind] === "provider";
    if (isSick || failure.kind === "rate_limit") this.#cooldowns.ended(attempt, nowMs, rampAfterFailure);
    const provider = isSick ? this.#provider(target) : this.#providers.get(target.provider);
    if (provider === undefined || isStraggler(provider.breaker, admittedAtMs)) return;
    if (isSick) {
      if (isFormerProbe(provider.breaker, admittedAtMs)) return;
      this.#turn(provider, breakerAfterFailure(provider.breaker, policy.breaker, this.#traffic.perSecond, nowMs));
      return;
    }
    // It answered, if only to refuse: the provider is up.
    this.#turn(provider, breakerAfterSuccess(provider.breaker, nowMs));
    this.#forgetIfWell(target.provider, provider);
  }

  released(attempt: Admission, nowMs: number): void {
    const { target, policy, admittedAtMs } = attempt;
    // Without a breaker it took no place, so it has none to give back.
    if (policy.breaker === null) return;
    this.#cooldowns.ended(attempt, nowMs, rampAfterRelease);
    const provider = this.#providers.get(target.provider);
    if (provider === undefined || isStraggler(provider.breaker, admittedAtMs)) return;
    if (!isFormerProbe(provider.breaker, admittedAtMs))
      this.#turn(provider, breakerAfterRelease(provider.breaker, nowMs));
  }

  coolDown(target: Target, scope: CooldownScope, untilMs: number): void {
    this.#cooldowns.add(target, scope, untilMs);
    this.isQuiet = false;
  }

  refuse(target: Target, scope: CooldownScope, untilMs: number, kind: FailureKind): void {
    // Not by `coolDown`: a subclass that stores what it receives there stores limits, which a wait cures.
    this.#cooldowns.add(target, scope, untilMs);
    this.isQuiet = false;
    this.#cooldowns.noteRefusal(target, scope, untilMs, kind);
  }

  refusalOf(target: Target, nowMs: number): FailureKind | undefined {
    return this.#cooldowns.refusalOf(target, nowMs);
  }

  limitOf(target: Target, breaker: BreakerSpec | null, nowMs: number): Limit | undefined {
    const provider = breaker === null ? undefined : this.#providers.get(target.provider);
    const isBreakerBlocking =
      breaker !== null && provider !== undefined && breakerBlockedForMs(provider.breaker, breaker, nowMs) > 0;
    return isBreakerBlocking ? undefined : this.#cooldowns.limitOf(target, nowMs);
  }

  #provider(target: Target): ProviderHealth {
    let provider = this.#providers.get(target.provider);
    if (provider === undefined) {
      provider = { breaker: CLOSED, budget: undefined, turnedAway: 0 };
      this.#providers.set(target.provider, provider);
      this.isQuiet = false;
    }
    return provider;
  }

  #turn(provider: ProviderHealth, next: BreakerState): void {
    const wasShut = provider.breaker.phase !== "closed";
    const isShut = next.phase !== "closed";
    if (isShut !== wasShut) this.#shut += isShut ? 1 : -1;
    if (isShut) this.#traffic = trafficAfterOutage(this.#traffic);
    provider.breaker = next;
  }

  /** As good as new: forgotten, so that calls need not ask again. */
  #forgetIfWell(name: string, { breaker, budget }: ProviderHealth): void {
    if (breaker === CLOSED && budget === undefined) this.#providers.delete(name);
    this.#listen();
  }

  #listen(): void {
    this.isQuiet = this.#providers.size === 0 && this.#cooldowns.isEmpty;
  }
}

/** Milliseconds after which to ask again, noted as a denial; 0: there is a place. */
function turnAway(provider: ProviderHealth, spec: BreakerSpec, nowMs: number): number {
  const { breaker } = provider;
  if (breakerBlockedForMs(breaker, spec, nowMs) === 0) return 0;
  provider.breaker = breakerAfterDenial(breaker, nowMs);
  return breakerWaitMs(breaker, spec, nowMs);
}
