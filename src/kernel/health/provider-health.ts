import { DEFAULT_SCOPE } from "../classify/failure-defaults.ts";
import type { FailureKind } from "../model/failure.ts";
import type { BreakerSpec, RetryBudgetSpec } from "../model/policy.ts";
import { type BreakerState, breakerAfterDenial, breakerBlockedForMs, breakerWaitMs, CLOSED } from "./breaker.ts";
import { budgetAfterRetry, capacityOf, hasRetryToken, type RetryBudget } from "./retry-budget.ts";
import { isForgotten, type Share } from "./share.ts";
import { ASK_AGAIN_MS, spreadMs } from "./spread.ts";

/** What is known against one provider. */
export interface ProviderHealth {
  breaker: BreakerState;
  /** Undefined: the budget is full. */
  budget: RetryBudget | undefined;
  /** Of the policy that spent from the budget last. */
  budgetSpec: RetryBudgetSpec | undefined;
  /** How many retries were turned away for want of a token. */
  turnedAway: number;
  /** The share of calls that were not limited. Undefined: none was, lately. */
  unlimited: Share | undefined;
}

export function newProviderHealth(): ProviderHealth {
  return { breaker: CLOSED, budget: undefined, budgetSpec: undefined, turnedAway: 0, unlimited: undefined };
}

/** Whether it is as good as new. */
export function isWell({ breaker, budget, unlimited }: ProviderHealth): boolean {
  return breaker === CLOSED && budget === undefined && (unlimited === undefined || isForgotten(unlimited));
}

/** Kinds that mean a sick provider. A rate limit or a bad request does not. */
export function isSick(kind: FailureKind): boolean {
  return kind === "overloaded" || DEFAULT_SCOPE[kind] === "provider";
}

/** Milliseconds after which to ask again, noted as a denial; 0: there is a place. */
export function turnAway(provider: ProviderHealth, spec: BreakerSpec, nowMs: number): number {
  const { breaker } = provider;
  if (breakerBlockedForMs(breaker, spec, nowMs) === 0) return 0;
  provider.breaker = breakerAfterDenial(breaker, nowMs);
  return breakerWaitMs(breaker, spec, nowMs);
}

/** Takes a token of the retry budget; 0: there was one. Otherwise the milliseconds after which to ask again. */
export function spendRetry(provider: ProviderHealth, spec: RetryBudgetSpec, perSecond: number, nowMs: number): number {
  provider.budgetSpec = spec;
  const budget = provider.budget ?? { tokens: capacityOf(spec, perSecond), lookedMs: nowMs };
  if (!hasRetryToken(budget, spec, perSecond, nowMs)) return ASK_AGAIN_MS + spreadMs(provider.turnedAway++);
  provider.budget = budgetAfterRetry(budget, spec, perSecond, nowMs);
  return 0;
}
