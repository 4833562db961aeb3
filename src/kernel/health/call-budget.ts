import type { RateLimit, RateLimits } from "../classify/read-rate-limits.ts";

/** What the headers of an answer leave: so many calls until then. */
export interface CallBudget {
  readonly calls: number;
  readonly atMs: number;
  readonly untilMs: number;
}

/** A little is left for callers that we do not know of. */
const SHARE = 0.97;
/** With nothing left, one call asks after so long: the reset of a bucket is when it is full, which is long after its first token. */
const LONGEST_MS = 10_000;

/** Undefined: the headers limit nothing. */
export function budgetAfter(limits: RateLimits, tokensPerCall: number, nowMs: number): CallBudget | undefined {
  const requests = budgetOf(limits.requests, 1, nowMs);
  const tokens = tokensPerCall > 0 ? budgetOf(limits.tokens, tokensPerCall, nowMs) : undefined;
  if (requests === undefined || tokens === undefined) return requests ?? tokens;
  return perMs(tokens) < perMs(requests) ? tokens : requests;
}

/**
 * What is left, spread over the time until the reset. In a window that is exactly what may be used. In a bucket that fills all the
 * time, it settles where as much comes in as is used, with the bucket half full.
 */
export function toldRate(budget: CallBudget | undefined, nowMs: number): number {
  if (budget === undefined || nowMs >= budget.untilMs) return Number.POSITIVE_INFINITY;
  return Math.max(perMs(budget) * 1000 * SHARE, 1000 / LONGEST_MS);
}

function budgetOf(limit: RateLimit | undefined, perCall: number, nowMs: number): CallBudget | undefined {
  if (limit?.remaining === undefined || limit.resetMs === undefined) return undefined;
  return { calls: limit.remaining / perCall, atMs: nowMs, untilMs: nowMs + limit.resetMs };
}

function perMs({ calls, atMs, untilMs }: CallBudget): number {
  return calls / Math.max(1, untilMs - atMs);
}
