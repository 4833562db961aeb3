/** How a provider treats calls at one moment. */
export interface Conditions {
  /** Share of calls that get lost on the way: neither the provider nor the caller ever hears of them. */
  readonly lost: number;
  /** Share of the arriving calls that fail at once with one of `errors`, each as likely as the others. */
  readonly rejected: number;
  readonly errors: readonly HttpError[];
  /** Share of the accepted calls whose connection breaks before the answer is complete. */
  readonly cut: number;
  /** How many times as long as usual an answer takes. */
  readonly slowness: number;
  /** Share of the slots that work; at least one does. */
  readonly capacity: number;
  /** What is accepted in each period; undefined: everything. Calls beyond it get 429 with the time until the next one. */
  readonly quota: Quota | undefined;
}

export interface HttpError {
  readonly status: number;
  readonly message: string;
  /** Default: no hint. */
  readonly retryAfterMs?: number;
}

export interface Quota {
  /** Share of the capacity. */
  readonly share: number;
  readonly periodMs: number;
}

export const NORMAL: Conditions = {
  lost: 0,
  rejected: 0,
  errors: [{ status: 503, message: "Service Unavailable" }],
  cut: 0,
  slowness: 1,
  capacity: 1,
  quota: undefined,
};
