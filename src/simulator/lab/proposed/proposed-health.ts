import {
  type BreakerSpec,
  type CooldownScope,
  type Failure,
  type FailureKind,
  type Health,
  MemoryHealth,
  type Policy,
  type RetryBudgetSpec,
  type Target,
} from "../../../kernel/index.ts";
import { afterFailure, type Breaker, CLOSED } from "./proposed-breaker.ts";
import { isRampOver, lookAtRamp, rampAdmitted, rampAfterSuccess, startRamp } from "./ramp.ts";

const SICKNESS: ReadonlySet<FailureKind> = new Set<FailureKind>([
  "overloaded",
  "server",
  "network",
  "timeout",
  "stalled",
  "silent",
  "stream_broken",
]);
/** Those who are held back while answers may come at any moment ask again after about so long. */
const ASK_AGAIN_MS = 1000;
/** The golden ratio's fraction: its multiples fall evenly between 0 and 1, with no chance in it. */
const GOLDEN = 0.618033988749895;

export interface Pace {
  /** How long the way back takes when many wait. */
  readonly rampMs: number;
  /** Those who are held back come again spread over so much time. */
  readonly spreadMs: number;
}

/**
 * What the lab proposes for the kernel's health: cooldowns and budget as they are; a breaker with a way back, and waits that
 * do not end for everyone at the same moment.
 */
export class ProposedHealth implements Health {
  readonly #memory = new MemoryHealth();
  readonly #breakers = new Map<string, Breaker>();
  /** When the last cooldown of a provider is over: those who waited for it come back in step, too. */
  readonly #easing = new Map<string, number>();
  readonly #pace: Pace;
  #looks = 0;
  #nowMs = 0;

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  get isQuiet(): boolean {
    return this.#breakers.size === 0 && this.#easing.size === 0 && this.#memory.isQuiet;
  }

  blockedForMs(target: Target, breaker: BreakerSpec | null, nowMs: number): number {
    this.#nowMs = nowMs;
    const coolingMs = this.#memory.blockedForMs(target, null, nowMs);
    // Those who wait for the same moment must not come back as one.
    const restMs = coolingMs === 0 ? 0 : coolingMs + this.#spread();
    if (breaker === null) return restMs;
    if (restMs === 0) this.#easeIn(target.provider, breaker, nowMs);
    return Math.max(restMs, this.#breakerBlockedForMs(target.provider, nowMs));
  }

  admitted(target: Target, policy: Policy, nowMs: number): void {
    this.#memory.admitted(target, { ...policy, breaker: null }, nowMs);
    const state = this.#breakers.get(target.provider);
    if (policy.breaker === null || state === undefined || state.phase === "closed") return;
    if (state.phase === "recovering") {
      this.#set(target, { ...state, ramp: rampAdmitted(state.ramp, nowMs) });
      return;
    }
    const { cooldownMs } = state;
    this.#set(target, { phase: "half-open", probeAtMs: nowMs, cooldownMs });
  }

  succeeded(target: Target, policy: Policy): void {
    this.#memory.succeeded(target, { ...policy, breaker: null });
    const state = this.#breakers.get(target.provider);
    // An open breaker does not trust an answer to a question asked before it opened.
    if (state === undefined || state.phase === "open") return;
    if (state.phase === "closed") this.#set(target, CLOSED);
    else if (state.phase !== "recovering")
      this.#set(target, {
        phase: "recovering",
        ramp: startRamp(this.#nowMs, state.cooldownMs + this.#pace.spreadMs),
        cooldownMs: policy.breaker?.cooldownMs ?? state.cooldownMs,
      });
    else this.#set(target, { ...state, ramp: rampAfterSuccess(state.ramp) });
  }

  failed(target: Target, failure: Failure, policy: Policy, nowMs: number): void {
    this.#nowMs = nowMs;
    if (policy.breaker === null) return;
    if (failure.kind === "unknown") return this.released(target, policy, nowMs);
    if (!SICKNESS.has(failure.kind)) return this.succeeded(target, { ...policy, budget: null });
    const state = this.#breakers.get(target.provider) ?? CLOSED;
    // Only of a call that ran into its limit can be told here when it began; the kernel knows it of every attempt.
    const tookMs = failure.kind === "silent" ? (policy.watchdog.firstContentMs ?? 0) : 0;
    this.#set(target, afterFailure({ state, spec: policy.breaker, nowMs, startedMs: nowMs - tookMs }));
  }

  released(target: Target, policy: Policy, nowMs: number): void {
    const state = this.#breakers.get(target.provider);
    if (policy.breaker === null || state?.phase !== "half-open") return;
    this.#set(target, { phase: "open", untilMs: nowMs, cooldownMs: state.cooldownMs });
  }

  coolDown(target: Target, scope: CooldownScope, untilMs: number): void {
    this.#easing.set(target.provider, Math.max(untilMs, this.#easing.get(target.provider) ?? 0));
    this.#memory.coolDown(target, scope, untilMs);
  }

  /** While the breaker is not closed it says when a retry may go; the budget has nothing to add but failures. */
  canRetry(target: Target, budget: RetryBudgetSpec): boolean {
    return this.#isGuarded(target) || this.#memory.canRetry(target, budget);
  }

  spendRetry(target: Target, budget: RetryBudgetSpec): void {
    if (!this.#isGuarded(target)) this.#memory.spendRetry(target, budget);
  }

  #isGuarded(target: Target): boolean {
    const state = this.#breakers.get(target.provider);
    return state !== undefined && state.phase !== "closed";
  }

  #easeIn(provider: string, { cooldownMs }: BreakerSpec, nowMs: number): void {
    const untilMs = this.#easing.get(provider);
    if (untilMs === undefined || untilMs > nowMs) return;
    this.#easing.delete(provider);
    const { phase } = this.#breakers.get(provider) ?? CLOSED;
    if (phase === "open" || phase === "half-open") return;
    this.#breakers.set(provider, { phase: "recovering", ramp: startRamp(nowMs, this.#pace.spreadMs), cooldownMs });
  }

  #breakerBlockedForMs(provider: string, nowMs: number): number {
    const state = this.#breakers.get(provider);
    if (state === undefined || state.phase === "closed") return 0;
    if (state.phase === "recovering") return this.#rampBlockedForMs(provider, state, nowMs);
    const leftMs = (state.phase === "open" ? state.untilMs : state.probeAtMs + state.cooldownMs) - nowMs;
    if (leftMs <= 0) return 0;
    // A probe is under way: its answer may come long before its claim ends.
    return (state.phase === "open" ? leftMs : Math.min(leftMs, ASK_AGAIN_MS)) + this.#spread();
  }

  #rampBlockedForMs(provider: string, state: Extract<Breaker, { phase: "recovering" }>, nowMs: number): number {
    const { rampMs } = this.#pace;
    if (isRampOver(state.ramp, rampMs, nowMs)) {
      this.#breakers.delete(provider);
      return 0;
    }
    const { ramp, isFree } = lookAtRamp(state.ramp, rampMs, nowMs);
    this.#breakers.set(provider, { ...state, ramp });
    // Every call of the ramp may have got lost: then there is a probe from time to time, as if it were open.
    const isProbeDue = ramp.credit < 1 && nowMs - ramp.lastAdmittedMs >= state.cooldownMs;
    return isFree || isProbeDue ? 0 : ASK_AGAIN_MS / 2 + this.#spread();
  }

  #spread(): number {
    return ((this.#looks++ * GOLDEN) % 1) * this.#pace.spreadMs;
  }

  #set(target: Target, state: Breaker): void {
    if (state === CLOSED) this.#breakers.delete(target.provider);
    else this.#breakers.set(target.provider, state);
  }
}
