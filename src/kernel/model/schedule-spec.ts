/** How a delay is spread at random, so that many clients do not come back at the same moment. */
export type Jitter = "none" | "full" | "equal" | "decorrelated";

/** What every schedule may add to its shape. */
export interface ScheduleLimits {
  /** No delay is longer than this. */
  readonly capMs?: number;
  readonly jitter?: Jitter;
  /** The schedule ends before the sum of its delays would pass this. */
  readonly budgetMs?: number;
  /** The schedule ends after this many retries. */
  readonly atMost?: number;
}

/** `baseMs * factor^(n-1)` for retry n. */
export interface ExponentialSpec extends ScheduleLimits {
  readonly type: "exponential";
  readonly baseMs: number;
  /** At least 1. Default 2. */
  readonly factor?: number;
}

/** 1, 2, 3, 5, 5, 5 … units: capped at 5 units unless `capMs` says otherwise. */
export interface FibonacciSpec extends ScheduleLimits {
  readonly type: "fibonacci";
  /** Default 1000. */
  readonly unitMs?: number;
  /** Start 1, 1, 2, 3, 5 instead of 1, 2, 3, 5. Default false. */
  readonly repeatFirst?: boolean;
}

/** The given delays one after another, the last one again and again. */
export interface SteppedSpec extends ScheduleLimits {
  readonly type: "stepped";
  readonly stepsMs: readonly number[];
}

/** The same delay every time. */
export interface FixedSpec extends ScheduleLimits {
  readonly type: "fixed";
  readonly delayMs: number;
}

/** A schedule as plain data: serialisable, comparable, shown on the dashboard, replayed by the simulator. */
export type ScheduleSpec = ExponentialSpec | FibonacciSpec | SteppedSpec | FixedSpec;
