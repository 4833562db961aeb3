import type { AttemptRecord } from "../model/receipt.ts";
import type { Trail } from "./trail.ts";

export const NONE: readonly number[] = [];

/** What few generations ever need: a second failure, a second schedule, another target, a warning. */
export interface Rare {
  /** All failed attempts but the one that gave `failure`, the newest at the end. */
  readonly earlier: AttemptRecord[];
  others: number[];
  leftSinceWait: readonly number[];
  spent: readonly number[];
  inLineMs: number;
  /** Held-back waits that use up no patience, because the target answered others meanwhile. */
  forgivenMs: number;
  /** `waitedMs` when the current entry of the chain was entered. */
  enteredAtMs: number;
  /** Calls of layers below beyond the one of each attempt. */
  moreCalls: number;
  /** Failures whose kind was only a guess. */
  guesses: number;
  readonly warnings: string[];
}

export const NO_RARE: RareState = {
  earlier: [],
  leftSinceWait: NONE,
  spent: NONE,
  inLineMs: 0,
  forgivenMs: 0,
  enteredAtMs: 0,
  moreCalls: 0,
  guesses: 0,
  warnings: [],
};

type RareState = Readonly<Omit<Rare, "others" | "earlier" | "warnings">> & {
  readonly earlier: readonly AttemptRecord[];
  readonly warnings: readonly string[];
};

/** A trail as plain data. */
export interface TrailState
  extends Readonly<
    Pick<
      Trail,
      | "failure"
      | "previousMs"
      | "waitedMs"
      | "waitMs"
      | "waitTo"
      | "triesHere"
      | "sameErrorRun"
      | "blockedWaits"
      | "blockedMs"
      | "limitWaits"
    >
  > {
  readonly failedAttempt: number;
  readonly waitedAfter: number | undefined;
  /** By schedule. */
  readonly used: readonly number[];
  readonly drawnMs: readonly number[];
  readonly rare: RareState;
}
