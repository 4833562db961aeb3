import type { HealthView } from "../health/health.ts";
import type { Decision, StopReason } from "../model/decision.ts";
import type { Failure } from "../model/failure.ts";
import type { Chain } from "./chain.ts";
import type { PreparedPolicy } from "./prepare-policy.ts";

/** Where a generation stands, as far as the next decision depends on it. Plain values; the run keeps them. */
export interface Standing {
  /** The id that the filter knows: empty when the caller gave none. */
  readonly filterId: string;
  /** Index of the current target in the chain. */
  readonly position: number;
  /** False once content was given to the consumer and can't be taken back. */
  readonly canReplay: boolean;
  /** Retries used up, by schedule. With `after-retries` they start anew on each entry of the chain. */
  readonly used: readonly number[];
  /** What each schedule has drawn so far, in milliseconds. */
  readonly drawnMs: readonly number[];
  /** Waits for a breaker or a cooldown, in which no call was made. */
  readonly blockedWaits: number;
  /** The sum of those in which health held it back, since the target last answered a call in spite of its limit. */
  readonly blockedMs: number;
  /** How many of them were for a limit that had not ended, without an answer of the target in between. */
  readonly limitWaits: number;
  /** The sum of the waits in line for a limit, after every retry was used up. */
  readonly inLineMs: number;
  /** How much of the patience is used up: every wait so far, except those that an answer of a limited target made good. */
  readonly patienceUsedMs: number;
  /** The sum of the waits since the current entry of the chain was entered. */
  readonly waitedHereMs: number;
  /** The last delay that a schedule drew: decorrelated jitter grows from it. */
  readonly previousMs: number;
  /** Attempts made on the current entry of the chain. */
  readonly triesHere: number;
  /** Targets left since the last wait: not gone back to without one, so that moves can't go round in a circle. */
  readonly leftSinceWait: readonly number[];
  /** Targets that are out for this generation. */
  readonly spent: readonly number[];
  /** How many times in a row the current target gave this very error, this one included. */
  readonly sameErrorRun: number;
  /** Failures of this generation whose kind was only a guess, this one included. */
  readonly guesses: number;
}

export interface BlockedSituation {
  readonly policy: PreparedPolicy;
  readonly chain: Chain;
  readonly standing: Standing;
  readonly health: HealthView;
  readonly nowMs: number;
  readonly random: () => number;
}

export interface Situation extends BlockedSituation {
  readonly failure: Failure;
}

/** The schedule of a wait that uses up no retry: no call was made, or its turn in a queue is still to come. */
export const NO_SCHEDULE = -1;

export function stop(reason: StopReason, because: string): Decision {
  return { type: "stop", reason, because };
}
