/** How long a measurement is trusted: clocks drift by at most 0.1 ms in a second. */
const TRUSTED_MS = 30_000;

/** How far the shared clock is ahead of the own one, as a value. */
export interface ClockGap {
  readonly offsetMs: number;
  /** The answer's way there and back: the gap is known to half of it. */
  readonly roundTripMs: number;
  readonly measuredMs: number;
}

/** The shared clock showed `sharedMs` at some moment between `sentMs` and `receivedMs`. Of two measurements the quicker one counts. */
export function clockGap(
  known: ClockGap | undefined,
  { sharedMs, sentMs, receivedMs }: { readonly sharedMs: number; readonly sentMs: number; readonly receivedMs: number },
): ClockGap {
  const roundTripMs = receivedMs - sentMs;
  const isBetter = known === undefined || roundTripMs <= known.roundTripMs;
  if (!isBetter && receivedMs - known.measuredMs < TRUSTED_MS) return known;
  return { offsetMs: sharedMs - (sentMs + receivedMs) / 2, roundTripMs, measuredMs: receivedMs };
}
