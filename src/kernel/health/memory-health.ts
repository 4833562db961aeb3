import type { Failure, FailureKind } from "../model/failure.ts";
import type { BreakerSpec, Policy, RetryBudgetSpec } from "../model/policy.ts";
import type { Target } from "../model/target.ts";
import {
  type BreakerState,
  breakerAdmitted,
  breakerAfterFailure,
  breakerAfterRelease,
  breakerAfterSuccess,
  breakerBlockedForMs,
  CLOSED,
  isStraggler,
} from "./breaker.ts";
import type { CooldownScope, Health } from "./health.ts";
import { hasRetryToken, tokensAfterRetry, tokensAfterSuccess } from "./retry-budget.ts";

/** Kinds that speak of a sick provider. A rate limit or a bad request says nothing about its health. */
const SICKNESS: ReadonlySet<FailureKind> = new Set<FailureKind>([
  "overloaded",
  "server",
  "network",
  "timeout",
  "stalled",
  "silent",
  "stream_broken",
]);

interface ProviderHealth {
  breaker: BreakerState;
  /** Undefined: the budget is full. */
  tokens: number | undefined;
}

/** Health of one process: plain maps. Finished cooldowns are dropped when they are looked at. */
export class MemoryHealth implements Health {
  isQuiet = true;
  /** Only of providers that something is known against. */
  readonly #providers = new Map<string, ProviderHealth>();
  readonly #cooldowns = new Map<string, number>();

  blockedForMs(target: Target, breaker: BreakerSpec | null, nowMs: number): number {
    let blockedMs = 0;
    if (this.#cooldowns.size > 0) {
      blockedMs = Math.max(this.#coolingMs(credentialKey(target), nowMs), this.#coolingMs(modelKey(target), nowMs));
    }
    if (breaker === null) return blockedMs;
    const provider = this.#providers.get(target.provider);
    return provider === undefined ? blockedMs : Math.max(blockedMs, breakerBlockedForMs(provider.breaker, nowMs));
  }

  admitted(target: Target, policy: Policy, nowMs: number): void {
    const provider = policy.breaker === null ? undefined : this.#providers.get(target.provider);
    if (provider !== undefined) provider.breaker = breakerAdmitted(provider.breaker, nowMs);
  }

  succeeded(target: Target, policy: Policy, admittedAtMs?: number): void {
    const provider = this.#providers.get(target.provider);
    if (provider === undefined) return;
    if (!isStraggler(provider.breaker, admittedAtMs)) provider.breaker = breakerAfterSuccess(provider.breaker);
    if (policy.budget !== null && provider.tokens !== undefined) {
      provider.tokens = tokensAfterSuccess(provider.tokens, policy.budget);
      if (provider.tokens >= policy.budget.capacity) provider.tokens = undefined;
    }
    this.#forgetIfWell(target.provider, provider);
  }

  failed(target: Target, failure: Failure, policy: Policy, nowMs: number, admittedAtMs?: number): void {
    if (policy.breaker === null) return;
    const isSick = SICKNESS.has(failure.kind);
    const provider = isSick ? this.#provider(target) : this.#providers.get(target.provider);
    if (provider === undefined || isStraggler(provider.breaker, admittedAtMs)) return;
    if (isSick) {
      provider.breaker = breakerAfterFailure(provider.breaker, policy.breaker, nowMs);
      return;
    }
    // Says nothing about the provider: perhaps a bug of the caller's.
    if (failure.kind === "unknown") return this.released(target, policy, nowMs, admittedAtMs);
    // It answered, if only to refuse: the provider is up.
    provider.breaker = breakerAfterSuccess(provider.breaker);
    this.#forgetIfWell(target.provider, provider);
  }

  released(target: Target, policy: Policy, nowMs: number, admittedAtMs?: number): void {
    // Without a breaker it took no probe, so it has none to give back.
    const provider = policy.breaker === null ? undefined : this.#providers.get(target.provider);
    if (provider === undefined || isStraggler(provider.breaker, admittedAtMs)) return;
    provider.breaker = breakerAfterRelease(provider.breaker, nowMs);
  }

  coolDown(target: Target, scope: CooldownScope, untilMs: number): void {
    const key = scope === "credential" ? credentialKey(target) : modelKey(target);
    this.#cooldowns.set(key, Math.max(untilMs, this.#cooldowns.get(key) ?? 0));
    this.isQuiet = false;
  }

  canRetry(target: Target, _budget: RetryBudgetSpec): boolean {
    const tokens = this.#providers.get(target.provider)?.tokens;
    return tokens === undefined || hasRetryToken(tokens);
  }

  spendRetry(target: Target, budget: RetryBudgetSpec): void {
    const provider = this.#provider(target);
    provider.tokens = tokensAfterRetry(provider.tokens ?? budget.capacity);
  }

  #provider(target: Target): ProviderHealth {
    let provider = this.#providers.get(target.provider);
    if (provider === undefined) {
      provider = { breaker: CLOSED, tokens: undefined };
      this.#providers.set(target.provider, provider);
      this.isQuiet = false;
    }
    return provider;
  }

  /** As good as new: forgotten, so that calls need not ask again. */
  #forgetIfWell(name: string, { breaker, tokens }: ProviderHealth): void {
    if (breaker === CLOSED && tokens === undefined) this.#providers.delete(name);
    this.#listen();
  }

  #listen(): void {
    this.isQuiet = this.#providers.size === 0 && this.#cooldowns.size === 0;
  }

  #coolingMs(key: string, nowMs: number): number {
    const untilMs = this.#cooldowns.get(key);
    if (untilMs === undefined) return 0;
    if (untilMs > nowMs) return untilMs - nowMs;
    this.#cooldowns.delete(key);
    this.#listen();
    return 0;
  }
}

// NUL can't stand in a provider, model or credential name, so two different pairs never share a key.
function credentialKey(target: Target): string {
  return `c\0${target.provider}\0${target.model}\0${target.credential}`;
}

function modelKey(target: Target): string {
  return `m\0${target.provider}\0${target.model}`;
}
