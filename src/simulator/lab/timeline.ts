/** When things happen, in ms from the start of the run. */
export interface Timeline {
  /** The clients get into their stride; nothing is measured yet. */
  readonly warmUpMs: number;
  /** Then the steady state is measured, until the outage begins. */
  readonly steadyMs: number;
  /** How long the world is watched after the outage. */
  readonly afterMs: number;
}

/** Twice the usual outage afterwards: long enough to see who falls over again. */
export const USUAL_TIMELINE: Timeline = { warmUpMs: 10_000, steadyMs: 50_000, afterMs: 120_000 };
