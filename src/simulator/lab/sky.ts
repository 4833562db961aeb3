/** What a provider does to calls at one moment. */
export interface Sky {
  /** Share of calls that get lost on the way: the provider never sees them, the caller never hears anything. */
  readonly lost: number;
  /** Share of the arriving calls that are refused at once. */
  readonly refused: number;
  readonly refusal: Refusal;
  /** How many times as long as usual an answer takes. */
  readonly slowness: number;
  /** Share of what the provider could do that is accepted in each `QUOTA_MS`; undefined: all. Beyond it: 429 with a hint. */
  readonly quota: number | undefined;
}

export interface Refusal {
  readonly status: number;
  readonly message: string;
}

export const QUOTA_MS = 10_000;

const UNAVAILABLE: Refusal = { status: 503, message: "Service Unavailable" };

export const CLEAR: Sky = { lost: 0, refused: 0, refusal: UNAVAILABLE, slowness: 1, quota: undefined };

/** The sky over one provider, by the milliseconds since the outage began; negative before it. */
export type Weather = (sinceMs: number) => Sky;

/** A clear sky but for the outage itself. */
export function outage(durationMs: number, during: Weather): Weather {
  return (sinceMs) => (sinceMs < 0 || sinceMs >= durationMs ? CLEAR : during(sinceMs));
}
