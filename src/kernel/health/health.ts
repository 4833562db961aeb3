import type { Failure, FailureKind } from "../model/failure.ts";
import type { BreakerSpec, Policy } from "../model/policy.ts";
import type { Ports } from "../model/ports.ts";
import type { Target } from "../model/target.ts";

/**
 * What a cooldown covers: this credential for this model, because limits are often counted per model and another one may
 * still answer; or the model for every credential.
 */
export type CooldownScope = "credential" | "model";

/** A limit that holds calls back, or has until now. */
export interface Limit {
  /** Milliseconds until it ends, as the endpoint said; 0: it is over, and calls come back a few at a time. */
  readonly leftMs: number;
  /** When the target last answered; undefined: not since it has been limited. */
  readonly answeredMs: number | undefined;
}

/** What `decide` may ask. Looking changes nothing. */
export interface HealthView {
  /** Milliseconds until the target may be tried; 0: now. */
  blockedForMs(target: Target, breaker: BreakerSpec | null, nowMs: number): number;
  /** What the target was refused for, while it cools down because of that: no wait cures it. Default: it never was. */
  refusalOf?(target: Target, nowMs: number): FailureKind | undefined;
  /** Whether more calls to it are under way than it answers, so that new ones wait. Default: no. */
  isCrowded?(target: Target, nowMs: number): boolean;
  /** The limit of the target, until all its calls are back, if no breaker holds it back. Default: none is known. */
  limitOf?(target: Target, breaker: BreakerSpec | null, nowMs: number): Limit | undefined;
}

/** An attempt as health knows it. */
export interface Admission {
  readonly target: Target;
  readonly policy: Policy;
  /** When health was asked; -1: it was quiet then and was not asked. */
  readonly admittedAtMs: number;
}

/**
 * What all generations have learned together. Synchronous on purpose: it stands on the way of every call. A shared
 * implementation keeps a local copy and exchanges facts in the background.
 */
export interface Health extends HealthView {
  /** No target has a problem: a call need not ask, nor report its success. */
  readonly isQuiet: boolean;
  /** No target is held back: a call need not ask, and of its success no moment matters. Default: as `isQuiet`. */
  readonly isFree?: boolean;
  /**
   * Asks for leave to attempt. 0: go, and the place (the single probe of a half-open breaker, one of the growing share
   * afterwards, for a retry a token of the budget) is taken. Otherwise the milliseconds after which to ask again, for each who
   * asks a little different. `isRetry`: the attempt spends a token, as far as the policy has a budget.
   */
  admit(target: Target, policy: Policy, nowMs: number, isRetry: boolean): number;
  /** An attempt starts; exactly one of the following reports its end. Default: they are not counted. */
  started?(target: Target): void;
  /** A success that is not reported because it is quiet. Default: they are not counted. */
  countAnswer?(target: Target, clock: Pick<Ports, "roughNow">): void;
  succeeded(attempt: Admission, nowMs: number): void;
  failed(attempt: Admission, failure: Failure, nowMs: number): void;
  /** The attempt ended without a verdict. */
  released(attempt: Admission, nowMs: number): void;
  /**
   * Whether most calls to the target's provider do not fail like this, as far as there are enough to know: then the failure is no
   * reason to keep others from it. Default: it is not known.
   */
  isRare?(target: Target, failure: Failure): boolean;
  /** Leaves a credential or model out until then. Of two reports the later deadline counts. */
  coolDown(target: Target, scope: CooldownScope, untilMs: number): void;
  /**
   * The same for one that was refused, which no wait cures: an invalid key, an unknown model, a quota without a known end.
   * Default: the first two cool down like any other, and a quota is not remembered.
   */
  refuse?(target: Target, scope: CooldownScope, untilMs: number, kind: FailureKind): void;
}
