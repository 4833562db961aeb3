import type { FinalError } from "./answer/final-error.ts";

/**
 * How a request ended that came a moment ago and had no answer. Some are given up here. Others are left: agents hang up after a minute
 * or two, and send the request again. What it has waited counts against its patience, so that it does not start over (B3).
 */
export interface EarlierVisit {
  /** What it was given up with. */
  readonly error: FinalError | undefined;
  /** How long it waited in all, before its client left. */
  readonly waitedMs: number;
}

export const NO_VISIT: EarlierVisit = { error: undefined, waitedMs: 0 };
