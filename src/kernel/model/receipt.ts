import type { StopReason } from "./decision.ts";
import type { Confidence, FailureKind } from "./failure.ts";
import type { Target } from "./target.ts";

/** One attempt as the receipt remembers it. */
export interface AttemptRecord {
  /** 1-based. */
  readonly attempt: number;
  readonly target: Target;
  /** What went wrong; absent for the attempt that succeeded. */
  readonly kind?: FailureKind;
  readonly status?: number;
  /** How sure the kind is; absent: certain. */
  readonly confidence?: Confidence;
  /** The wait after this attempt, as it really was. */
  readonly waitedMs?: number;
}

/** What really happened to a generation. */
export interface Receipt {
  readonly generationId: string;
  /** The answer is whole: it ended properly and passed validation. */
  readonly complete: boolean;
  /** Content was given to the consumer, but not to its end. */
  readonly truncated: boolean;
  readonly outcome: "succeeded" | "running" | StopReason;
  readonly attempts: number;
  /** The calls really made: `attempts`, and what failed attempts took in layers of Secondwind inside the call. */
  readonly calls: number;
  /** The sum of all waits between attempts. */
  readonly waitedMs: number;
  /** The longest that the policy lets a generation wait in all; null: no limit in time. */
  readonly patienceMs: number | null;
  readonly elapsedMs: number;
  /** The targets that the history names, in the order of first use. */
  readonly targets: readonly Target[];
  /** The failed attempts and the one that succeeded; the oldest are left out beyond 50. */
  readonly history: readonly AttemptRecord[];
  readonly warnings: readonly string[];
}
