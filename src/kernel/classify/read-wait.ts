import { readDuration } from "./read-duration.ts";

/** Longer than any billing period's remainder: such a "wait" is a fault of the endpoint. */
const LONGEST_HINT_MS = 31 * 86_400_000;
/** Numbers from here on are moments, not durations: epoch seconds since 2001, or epoch milliseconds. */
const EPOCH_SECONDS = 1e9;
const EPOCH_MS = 1e12;

/** A usable wait, or nothing: malformed, negative, zero, past and absurd ones are ignored (E6). */
export function usable(ms: number | undefined = 0): number | undefined {
  return ms > 0 && ms <= LONGEST_HINT_MS ? ms : undefined;
}

/** A number in decimal notation. "1e12", "0x10", "-5" and "soon" are none. */
export function decimal(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d{1,15}(?:\.\d{1,12})?$/.test(value) ? Number(value) : undefined;
}

/** A number of seconds, in milliseconds. */
export function seconds(value: unknown): number | undefined {
  const plain = decimal(value);
  return plain === undefined ? undefined : Number(`${plain}e3`);
}

/** The wait that a reset field names: seconds, a duration, epoch seconds or milliseconds, a date. */
export function secondsOrMoment(value: unknown, now: number): number | undefined {
  const plain = decimal(value);
  if (plain === undefined)
    return typeof value === "string" ? (readDuration(value) ?? untilDate(value, now)) : undefined;
  if (plain < EPOCH_SECONDS) return seconds(plain);
  return (plain < EPOCH_MS ? plain * 1_000 : plain) - now;
}

/** The time until a date. */
export function untilDate(value: string, now: number): number | undefined {
  return momentOf(value) - now;
}

const ZONE = /(?:[a-z]|[+-]\d\d:?\d\d)$/i;

/** The moment of a date. Without a zone it is one of UTC, wherever this runs. */
function momentOf(value: string): number {
  // A date has a time of day; "5 apples" is no date, whatever Date.parse makes of it.
  if (value.length > 64 || !/\d\d:\d\d/.test(value)) return Number.NaN;
  return Date.parse(ZONE.test(value) ? value : `${value}Z`);
}

/** The moment of an answer by the clock that its dates are told by: the endpoint's, if it gives it. */
export function sentAt(date: string | undefined, now: number): number {
  return momentOf(date ?? "") || now;
}

/** The first, unless the second is the same wait without rounding. */
export function finer(first: number | undefined, second: number | undefined): number | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const step = stepOf(first);
  return stepOf(second) < step && Math.abs(first - second) < step ? second : first;
}

function stepOf(ms: number): number {
  return [3_600_000, 60_000, 1_000].find((step) => ms % step === 0) ?? 0;
}
