import type { Failure } from "../model/failure.ts";
import type { Policy, RetryBudgetSpec } from "../model/policy.ts";
import { isRefusal } from "./refusal.ts";

/**
 * Tokens that retries spend and successes refill, as a number. When everything fails, retries dry up instead of
 * multiplying the load; when little fails, the budget has no effect.
 */
export function tokensAfterSuccess(tokens: number, spec: RetryBudgetSpec): number {
  return Math.min(spec.capacity, tokens + spec.refillPerSuccess);
}

export function hasRetryToken(tokens: number): boolean {
  return tokens >= 1;
}

export function tokensAfterRetry(tokens: number): number {
  return Math.max(0, tokens - 1);
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
