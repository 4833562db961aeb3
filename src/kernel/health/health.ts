import type { Failure } from "../model/failure.ts";
import type { BreakerSpec, Policy, RetryBudgetSpec } from "../model/policy.ts";
import type { Target } from "../model/target.ts";

/**
 * What a cooldown covers: this credential for this model, because limits are often counted per model and another one may
 * still answer; or the model for every credential.
 */
export type CooldownScope = "credential" | "model";

/** What `decide` may ask. Looking changes nothing. */
export interface HealthView {
  /** Milliseconds until the target may be tried; 0: now. */
  blockedForMs(target: Target, breaker: BreakerSpec | null, nowMs: number): number;
  /** Whether the shared retry budget of the target's provider still has a token. */
  canRetry(target: Target, budget: RetryBudgetSpec): boolean;
}

/**
 * What becomes of an attempt is told with the moment at which it was let through, -1 where health was not asked: while a
 * probe is out, only the probe's own outcome moves the breaker. (Left out: it is taken for the probe's.)
 *
 * What all generations have learned together. Synchronous on purpose: it stands on the way of every call. A shared
 * implementation keeps a local copy and exchanges facts in the background.
 */
export interface Health extends HealthView {
  /** Nothing at all is known against anyone: a call need not ask, nor tell of its success. */
  readonly isQuiet: boolean;
  /** Told when an attempt is let through while it is not quiet; takes the single probe of a half-open breaker. */
  admitted(target: Target, policy: Policy, nowMs: number): void;
  succeeded(target: Target, policy: Policy, admittedAtMs?: number): void;
  failed(target: Target, failure: Failure, policy: Policy, nowMs: number, admittedAtMs?: number): void;
  /** The attempt ended without a verdict. */
  released(target: Target, policy: Policy, nowMs: number, admittedAtMs?: number): void;
  /** Leaves a credential or model out until then. Of two reports the later deadline counts. */
  coolDown(target: Target, scope: CooldownScope, untilMs: number): void;
  spendRetry(target: Target, budget: RetryBudgetSpec): void;
}
