import { deepFreeze } from "../model/check.ts";
import type { Policy, Rule } from "../model/policy.ts";

const RETRY: Rule = { action: "retry", schedule: "general", delay: "schedule", when: "retryable" };
const ELSEWHERE: Rule = { action: "elsewhere", schedule: "general", otherwise: "stop" };
const STOP: Rule = { action: "stop" };

/**
 * The neutral ground on which policies are built: every kind has its sensible rule, and nothing that needs shared
 * state or a limit of taste (breaker, budget, watchdogs, caps) is switched on.
 */
export const BASE_POLICY: Policy = deepFreeze<Policy>({
  name: "base",
  enabled: true,
  schedules: { general: { type: "exponential", baseMs: 1000, factor: 2, atMost: 3 } },
  rules: {
    rate_limit: RETRY,
    usage_limit: ELSEWHERE,
    overloaded: RETRY,
    server: RETRY,
    network: RETRY,
    timeout: RETRY,
    stalled: RETRY,
    silent: RETRY,
    invalid_content: RETRY,
    stream_broken: RETRY,
    context_overflow: { action: "hand-over" },
    auth: ELSEWHERE,
    permission: ELSEWHERE,
    bad_request: STOP,
    not_found: ELSEWHERE,
    content_filter: STOP,
    aborted: STOP,
    unknown: RETRY,
  },
  statuses: {},
  classify: [],
  honourHints: true,
  maxDelayMs: null,
  patienceMs: null,
  fallback: {
    when: "after-retries",
    longWaitMs: 30_000,
    patienceMs: null,
    triesPerFallback: null,
    movesCount: false,
    revert: "cooldown-expiry",
    cooldownMs: 300_000,
  },
  afterContent: "stop",
  watchdog: { firstContentMs: null, idleMs: null },
  require: null,
  sameServerError: null,
  guessRetries: null,
  breaker: null,
  budget: null,
  filter: null,
});
