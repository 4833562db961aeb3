/** How a provider treats calls at one moment. */
export interface Conditions {
  /** Share of calls that get lost on the way: neither the provider nor the caller ever hears of them. */
  readonly lost: number;
  /** Share of the arriving calls that fail at once with `error`. */
  readonly rejected: number;
  readonly error: HttpError;
  /** How many times as long as usual an answer takes. */
  readonly slowness: number;
  /** Share of the capacity that is accepted in each `QUOTA_MS`; undefined: all. Calls beyond it get 429 with a hint. */
  readonly quota: number | undefined;
}

export interface HttpError {
  readonly status: number;
  readonly message: string;
}

export const QUOTA_MS = 10_000;

export const NORMAL: Conditions = {
  lost: 0,
  rejected: 0,
  error: { status: 503, message: "Service Unavailable" },
  slowness: 1,
  quota: undefined,
};
