import { DEFAULT_SCOPE } from "../classify/failure-defaults.ts";
import type { Failure, FailureKind } from "../model/failure.ts";
import type { BreakerSpec, Policy, RetryBudgetSpec } from "../model/policy.ts";
import type { Target } from "../model/target.ts";
import {
  type BreakerState,
  breakerAfterAdmission,
  breakerAfterCrowd,
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
import { type Crowd, crowdAfterTimeout, hasRoom, isCrowdOver, startCrowd, suspiciousAbove } from "./crowd.ts";
import type { Admission, CooldownScope, Health, Limit } from "./health.ts";
import { rampAfterFailure, rampAfterRelease, rampAfterSuccess } from "./ramp.ts";
import { budgetAfterRetry, budgetAfterSuccess, capacityOf, hasRetryToken, type RetryBudget } from "./retry-budget.ts";
import { type Share, shareAfterAnswer, shareAfterFailure, startShare } from "./share.ts";
import { ASK_AGAIN_MS, spreadMs } from "./spread.ts";
import { LOT, NO_TRAFFIC, trafficAfterLot } from "./traffic.ts";

interface ProviderHealth {
  breaker: BreakerState;
  /** Undefined: the budget is full. */
  budget: RetryBudget | undefined;
  /** How many retries were turned away for want of a token. */
  turnedAway: number;
  /** The share of calls that were not limited. Undefined: none was, lately. */
  unlimited: Share | undefined;
}

/** With more calls than this not limited, a limit is for the call that met it. */
const RARELY_LIMITED = 0.9;

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
  #underWay = 0;
  #suspiciousAbove = Number.POSITIVE_INFINITY;
  #crowd: Crowd | undefined = undefined;

  /** Only of providers that something is known against. Made at the first failure: a stream has a health of its own. */
  get #providers(): Map<string, ProviderHealth> {
    this.#known ??= new Map();
    return this.#known;
  }

  get isFree(): boolean {
    return (
      this.#shut === 0 && this.#underWay < this.#suspiciousAbove && this.#crowd === undefined && this.#cooldowns.isEmpty
    );
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
    } else if (coolingMs === 0) {
      const crowdMs = breaker === null ? 0 : this.#waitForOthers(target, nowMs);
      if (crowdMs > 0) return crowdMs;
      const waitMs =
        isRetry && policy.budget !== null ? this.#spendRetry(this.#provider(target), policy.budget, nowMs) : 0;
      if (waitMs > 0) return waitMs;
    }
    if (coolingMs > 0) return coolingMs;
    this.#cooldowns.takePlace(target, breaker, this.#traffic, nowMs);
    this.#listen();
    return 0;
  }

  started(): void {
    if (++this.#underWay >= this.#suspiciousAbove) this.isQuiet = false;
  }

  countAnswer(now: () => number): void {
    this.#underWay--;
    if ((++this.#answers & (LOT - 1)) === 0) this.#learn(now());
  }

  succeeded(attempt: Admission, nowMs: number): void {
    const { target, policy, admittedAtMs } = attempt;
    this.#cooldowns.ended(attempt, nowMs, rampAfterSuccess);
    this.#cooldowns.noteAnswer(target, nowMs);
    this.countAnswer(() => nowMs);
    const provider = this.#providers.get(target.provider);
    if (provider === undefined) return this.#listen();
    if (provider.unlimited !== undefined) provider.unlimited = shareAfterAnswer(provider.unlimited, nowMs);
    if (!isStraggler(provider.breaker, admittedAtMs))
      this.#turn(provider, breakerAfterSuccess(provider.breaker, nowMs));
    if (policy.budget !== null && provider.budget !== undefined) {
      provider.budget = budgetAfterSuccess(provider.budget, policy.budget, this.#traffic.perSecond, nowMs);
    }
    this.#forgetIfWell(target.provider, provider);
  }

  failed(attempt: Admission, failure: Failure, nowMs: number): void {
    const { target, policy, admittedAtMs } = attempt;
    const { kind } = failure;
    // Perhaps a bug in the caller's code: no sign of the provider's health.
    if (kind === "unknown") return this.released(attempt, nowMs);
    this.#underWay--;
    if (policy.breaker === null) return;
    // Kinds that mean a sick provider. A rate limit or a bad request does not.
    const isSick = kind === "overloaded" || DEFAULT_SCOPE[kind] === "provider";
    if (isSick || kind === "rate_limit") this.#cooldowns.ended(attempt, nowMs, rampAfterFailure);
    if (this.#crowd !== undefined && (kind === "silent" || kind === "timeout")) {
      this.#crowd = crowdAfterTimeout(this.#crowd, this.#traffic, this.#underWay, nowMs);
    }
    const isKept = isSick || kind === "rate_limit";
    const provider = isKept ? this.#provider(target) : this.#providers.get(target.provider);
    if (provider === undefined) return;
    if (kind === "rate_limit") {
      provider.unlimited = shareAfterFailure(provider.unlimited ?? startShare(this.#traffic.perSecond, nowMs), nowMs);
    }
    if (isStraggler(provider.breaker, admittedAtMs)) return;
    if (isSick) {
      if (isFormerProbe(provider.breaker, admittedAtMs)) return;
      this.#turn(provider, breakerAfterFailure(provider.breaker, policy.breaker, this.#traffic, nowMs));
      return;
    }
    // It answered, if only to refuse: the provider is up.
    this.#turn(provider, breakerAfterSuccess(provider.breaker, nowMs));
    this.#forgetIfWell(target.provider, provider);
  }

  released(attempt: Admission, nowMs: number): void {
    const { target, policy, admittedAtMs } = attempt;
    this.#underWay--;
    // Without a breaker it took no place, so it has none to give back.
    if (policy.breaker === null) return;
    this.#cooldowns.ended(attempt, nowMs, rampAfterRelease);
    const provider = this.#providers.get(target.provider);
    if (provider === undefined || isStraggler(provider.breaker, admittedAtMs)) return;
    if (!isFormerProbe(provider.breaker, admittedAtMs))
      this.#turn(provider, breakerAfterRelease(provider.breaker, nowMs));
  }

  isRarelyLimited(target: Target): boolean {
    const unlimited = this.#providers.get(target.provider)?.unlimited;
    return unlimited !== undefined && unlimited.answered > RARELY_LIMITED;
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

  /** Takes a token; 0: there was one. */
  #spendRetry(provider: ProviderHealth, spec: RetryBudgetSpec, nowMs: number): number {
    const budget = provider.budget ?? { tokens: capacityOf(spec, this.#traffic.perSecond), lookedMs: nowMs };
    if (!hasRetryToken(budget, spec, nowMs)) return ASK_AGAIN_MS + spreadMs(provider.turnedAway++);
    provider.budget = budgetAfterRetry(budget, spec, nowMs);
    return 0;
  }

  /** Where too many calls are under way: when to ask again. */
  #waitForOthers(target: Target, nowMs: number): number {
    this.#crowd ??= startCrowd(this.#traffic, this.#underWay, nowMs);
    const crowd = this.#crowd;
    if (crowd === undefined) return 0;
    if (isCrowdOver(this.#traffic, this.#underWay)) {
      this.#crowd = undefined;
      // Those who waited come back a few at a time.
      if (crowd.turnedAway > 0) this.#turn(this.#provider(target), breakerAfterCrowd(this.#traffic, nowMs));
      return 0;
    }
    if (hasRoom(crowd, this.#underWay, nowMs)) return 0;
    this.#crowd = { ...crowd, turnedAway: crowd.turnedAway + 1 };
    return ASK_AGAIN_MS + spreadMs(crowd.turnedAway);
  }

  #learn(nowMs: number): void {
    const isUsual = this.#shut === 0 && this.#crowd === undefined && this.#cooldowns.isEmpty;
    this.#traffic = trafficAfterLot(this.#traffic, this.#underWay, isUsual, nowMs);
    this.#suspiciousAbove = suspiciousAbove(this.#traffic);
  }

  #provider(target: Target): ProviderHealth {
    let provider = this.#providers.get(target.provider);
    if (provider === undefined) {
      provider = { breaker: CLOSED, budget: undefined, turnedAway: 0, unlimited: undefined };
      this.#providers.set(target.provider, provider);
      this.isQuiet = false;
    }
    return provider;
  }

  #turn(provider: ProviderHealth, next: BreakerState): void {
    const wasShut = provider.breaker.phase !== "closed";
    const isShut = next.phase !== "closed";
    if (isShut !== wasShut) this.#shut += isShut ? 1 : -1;
    provider.breaker = next;
  }

  /** As good as new: forgotten, so that calls need not ask again. */
  #forgetIfWell(name: string, { breaker, budget, unlimited }: ProviderHealth): void {
    const isWell = breaker === CLOSED && budget === undefined && (unlimited === undefined || unlimited.answered > 0.99);
    if (isWell) this.#providers.delete(name);
    this.#listen();
  }

  #listen(): void {
    this.isQuiet = this.#providers.size === 0 && this.isFree;
  }
}

/** Milliseconds after which to ask again, noted as a denial; 0: there is a place. */
function turnAway(provider: ProviderHealth, spec: BreakerSpec, nowMs: number): number {
  const { breaker } = provider;
  if (breakerBlockedForMs(breaker, spec, nowMs) === 0) return 0;
  provider.breaker = breakerAfterDenial(breaker, nowMs);
  return breakerWaitMs(breaker, spec, nowMs);
}
