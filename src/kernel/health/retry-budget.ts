import type { Failure } from "../model/failure.ts";
import type { Policy, RetryBudgetSpec } from "../model/policy.ts";
import { isRefusal } from "./refusal.ts";

/**
 * Tokens that retries spend and successes refill, as a value. When much fails, retries wait for their turn instead of
 * multiplying the load; when little fails, the budget has no effect.
 */
export interface RetryBudget {
  readonly tokens: number;
  readonly lookedMs: number;
}

/** Each second puts back this part of a second's usual answers: with half of all calls failing, work goes on at a lower rate. */
const REFILL_SHARE = 0.25;
/** Retries come with the time rounded up to a whole millisecond. */
const ROUNDED_MS = 1;

export function capacityOf({ capacity, capacitySeconds }: RetryBudgetSpec, perSecond: number): number {
  return Math.max(capacity, perSecond * capacitySeconds);
}

export function hasRetryToken(budget: RetryBudget, spec: RetryBudgetSpec, perSecond: number, nowMs: number): boolean {
  return tokensAt(budget, spec, perSecond, nowMs) >= 1;
}

export function budgetAfterRetry(
  budget: RetryBudget,
  spec: RetryBudgetSpec,
  perSecond: number,
  nowMs: number,
): RetryBudget {
  return { tokens: Math.max(0, tokensAt(budget, spec, perSecond, nowMs) - 1), lookedMs: lookedAt(budget, nowMs) };
}

/** Undefined: it is full again. */
export function budgetAfterSuccess(
  budget: RetryBudget,
  spec: RetryBudgetSpec,
  perSecond: number,
  nowMs: number,
): RetryBudget | undefined {
  const tokens = tokensAt(budget, spec, perSecond, nowMs) + spec.refillPerSuccess;
  return tokens >= capacityOf(spec, perSecond) ? undefined : { tokens, lookedMs: lookedAt(budget, nowMs) };
}

/** Successes come with the coarse clock, behind that of the retries: the time between the clocks must not refill twice. */
function lookedAt({ lookedMs }: RetryBudget, nowMs: number): number {
  return nowMs > lookedMs - ROUNDED_MS ? nowMs : lookedMs;
}

/** Never more than the capacity, however long no call has asked. */
export function tokensAt(
  { tokens, lookedMs }: RetryBudget,
  spec: RetryBudgetSpec,
  perSecond: number,
  nowMs: number,
): number {
  const perSecondRefilled = Math.max(spec.refillPerSecond, perSecond * REFILL_SHARE);
  const refilled = tokens + (Math.max(0, nowMs - lookedMs) / 1000) * perSecondRefilled;
  return Math.min(capacityOf(spec, perSecond), refilled);
}

/**
 * Whether a retry after this failure spends a token. Not where the target cools down for everyone: a rate limit with a known end,
 * a used-up quota, a refusal. The cooldown already prevents further calls, and its ramp spreads those that come back.
 */
export function spendsRetry(failure: Failure, { honourHints }: Policy): boolean {
  const { kind, retryable, hintMs } = failure;
  if (kind === "rate_limit") return !(honourHints && retryable && hintMs !== undefined);
  return kind !== "usage_limit" && !isRefusal(failure);
}
