import type { FailureKind } from "./failure.ts";
import type { ScheduleSpec } from "./schedule-spec.ts";

/** What to do about a failure. */
export type Rule =
  /**
   * Try again after a wait. `schedule` names the schedule and its own counter; `delay: "none"`: count, but do not wait.
   * `when: "retryable"` follows the classifier's word for this very failure, `"always"` overrules it. `maxDelayMs`: for this
   * rule instead of the policy's.
   */
  | {
      readonly action: "retry";
      readonly schedule: string;
      readonly delay: "schedule" | "none";
      readonly when: "retryable" | "always";
      readonly maxDelayMs?: number;
    }
  /**
   * Only another credential or model can cure this. With nothing to go to: `stop`; `wait` for whatever is free first, but not for
   * a quota without a known end; `retry` on the schedule, a quota without a known end as well.
   */
  | { readonly action: "elsewhere"; readonly schedule: string; readonly otherwise: "wait" | "retry" | "stop" }
  /** Not ours to cure: the host compacts the context. */
  | { readonly action: "hand-over" }
  | { readonly action: "stop" };

/** A user's rule, tried before the built-in ones. All given conditions must hold. */
export interface ClassifyRule {
  readonly name: string;
  readonly when: {
    readonly status?: number;
    /** The provider's type or code, compared without regard to case, `_`, `-`, `.` and spaces. */
    readonly code?: string;
    /** Plain text that the message contains, in any case. Not a pattern: it can't be slow. */
    readonly text?: string;
    readonly provider?: string;
  };
  readonly kind: FailureKind;
  /** Default: as the kind usually is. */
  readonly retryable?: boolean;
}

export interface FallbackPolicy {
  /** When the next target of the chain is tried for a failure that waiting may cure as well. */
  readonly when: "immediate" | "after-retries" | "long-wait";
  /** With `long-wait`: a longer wait than this goes to the next target instead. */
  readonly longWaitMs: number;
  /** With `long-wait`: once the waits for the current model would add up to more than this, the next target is tried. null: no limit. */
  readonly patienceMs: number | null;
  /** With `after-retries`: tries in all for each target after the first; null: as many as the schedules allow. */
  readonly triesPerFallback: number | null;
  /** Whether a move to another credential or model uses up a retry. */
  readonly movesCount: boolean;
  /** Whether an earlier target of the chain comes back when its cooldown is over. */
  readonly revert: "cooldown-expiry" | "never";
  /** How long a failing model or a limited credential is left out when the endpoint does not say. */
  readonly cooldownMs: number;
}

/** Content that a finished answer must have. */
export type ContentRequirement = { readonly text: string } | { readonly pattern: string; readonly flags?: string };

export interface BreakerSpec {
  /** It opens after at least so many failures in a row, */
  readonly failures: number;
  /** if less than this share of the last calls was answered, 0 to 1. Among many calls a few failures in a row are chance. */
  readonly leastShare: number;
  /** How long it stays open before one probe is let through. */
  readonly cooldownMs: number;
  /** Each failed probe doubles the cooldown up to this, or to less where so many calls are usual that a probe costs little. */
  readonly maxCooldownMs: number;
  /**
   * How long after a good probe every call that asks is let through, where the usual traffic is not known; where it is, calls come
   * back at their pace until none is held back. 0: at once.
   */
  readonly rampMs: number;
}

/**
 * Tokens that retries spend and successes refill, shared by all generations to a provider. A retry without a token waits until
 * there is one.
 */
export interface RetryBudgetSpec {
  /** Tokens at the start and at most, */
  readonly capacity: number;
  /** or as many as the usual traffic has answers in so many seconds, whichever is more. */
  readonly capacitySeconds: number;
  /** What one success puts back: 0.1 allows one retry for ten successes in the long run. */
  readonly refillPerSuccess: number;
  /** What each second puts back at least, whatever happens: no retry waits for ever. With more traffic it is more. */
  readonly refillPerSecond: number;
}

/** Which generations are carried at all, by their id. */
export interface GenerationFilter {
  readonly mode: "whitelist" | "blacklist";
  readonly ids: readonly string[];
}

/** What to do for each failure kind: plain serialisable data, frozen. Made by `definePolicy`. */
export interface Policy {
  readonly name: string;
  /** False: one plain call, nothing is retried. */
  readonly enabled: boolean;
  /** Named schedules, each with its own counter. */
  readonly schedules: Readonly<Record<string, ScheduleSpec>>;
  readonly rules: Readonly<Record<FailureKind, Rule>>;
  /** Rules by HTTP status, before those by kind. */
  readonly statuses: Readonly<Record<number, Rule>>;
  readonly classify: readonly ClassifyRule[];
  /** Wait at least as long as the endpoint asks. */
  readonly honourHints: boolean;
  /** A longer wait than this is pointless: fail at once if nothing can be switched to. null: no cap. */
  readonly maxDelayMs: number | null;
  /**
   * The longest time that a generation waits in all: on its schedules, for a hint, held back by health or in line for a limit. The
   * attempts themselves don't count. null: no limit in time.
   */
  readonly patienceMs: number | null;
  readonly fallback: FallbackPolicy;
  /** After content was given to the consumer: stop, or restart if the sink can take content back. */
  readonly afterContent: "stop" | "restart";
  readonly watchdog: {
    /** No first content (without streaming: no answer) for so long is `silent`. null: wait for ever. */
    readonly firstContentMs: number | null;
    /** No new content for so long is `stalled`. null: wait for ever. */
    readonly idleMs: number | null;
  };
  readonly require: ContentRequirement | null;
  /** The same body of an HTTP 500 this many times in a row is hopeless on that target. null: never. */
  readonly sameServerError: number | null;
  /** So many retries at most, in a generation, after failures whose kind is only a guess. null: as many as after others. */
  readonly guessRetries: number | null;
  readonly breaker: BreakerSpec | null;
  readonly budget: RetryBudgetSpec | null;
  readonly filter: GenerationFilter | null;
}
