/** How a provider treats calls at one moment. */
export interface Conditions {
  /** Share of calls that get lost on the way: neither the provider nor the caller ever hears of them. */
  readonly lost: number;
  /** Share of the arriving calls that fail at once with `error`. */
  readonly rejected: number;
  readonly error: HttpError;
  /** How many times as long as usual an answer takes. */
  readonly slowness: number;
  /** What is accepted in each period; undefined: everything. Calls beyond it get 429 with the time until the next one. */
  readonly quota: Quota | undefined;
}

export interface HttpError {
  readonly status: number;
  readonly message: string;
}

export interface Quota {
  /** Share of the capacity. */
  readonly share: number;
  readonly periodMs: number;
}

export const NORMAL: Conditions = {
  lost: 0,
  rejected: 0,
  error: { status: 503, message: "Service Unavailable" },
  slowness: 1,
  quota: undefined,
};
