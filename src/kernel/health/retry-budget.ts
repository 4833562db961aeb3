import type { RetryBudgetSpec } from "../model/policy.ts";

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
