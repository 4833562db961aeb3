import type { Facts } from "./facts.ts";
import { readDuration } from "./read-duration.ts";
import type { HeaderLookup } from "./read-headers.ts";

/** Longer than any billing period's remainder: such a "wait" is a fault of the endpoint. */
const LONGEST_HINT_MS = 31 * 86_400_000;
/** Numbers from here on are moments, not durations: epoch seconds since 2001, or epoch milliseconds. */
const EPOCH_SECONDS = 1e9;
const EPOCH_MS = 1e12;

/** A usable wait, or nothing: malformed, negative, zero, past and absurd ones are ignored (E6). */
function usable(ms: number | undefined = 0): number | undefined {
  return ms > 0 && ms <= LONGEST_HINT_MS ? ms : undefined;
}

/** The wait that the endpoint asks for in plain terms: `retry-after` headers, RetryInfo, words. */
export function readHint(facts: Facts, headers: HeaderLookup, text: string, now: number): number | undefined {
  return (
    usable(decimal(headers.get("retry-after-ms"))) ??
    usable(retryAfter(headers.get("retry-after"), now)) ??
    usable(typeof facts.retryDelay === "string" ? readDuration(facts.retryDelay, 0) : undefined) ??
    hintInText(text) ??
    usable(seconds(facts.waitSeconds))
  );
}

/** When the limit ends, from headers and fields that are there on every answer: only for the rate-limit family. */
export function readReset(facts: Facts, headers: HeaderLookup, now: number): number | undefined {
  if (facts.headers.length === 0) return usable(secondsOrMoment(facts.resetsAt, now));
  return (
    usable(decimal(headers.get("x-ratelimit-reset-ms"))) ??
    usable(secondsOrMoment(headers.get("x-ratelimit-reset"), now)) ??
    usable(secondsOrMoment(headers.get("ratelimit-reset"), now)) ??
    usable(seconds(headers.get("x-codex-primary-reset-after-seconds"))) ??
    usedUpReset(headers, now) ??
    usable(secondsOrMoment(facts.resetsAt, now))
  );
}

function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const plain = seconds(value);
  if (plain !== undefined) return plain;
  return readDuration(value.toLowerCase(), 0) ?? untilDate(value, now);
}

/** A number in decimal notation. "1e12", "0x10", "-5" and "soon" are none. */
function decimal(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d{1,15}(?:\.\d{1,12})?$/.test(value) ? Number(value) : undefined;
}

function seconds(value: unknown): number | undefined {
  const plain = decimal(value);
  return plain === undefined ? undefined : Number(`${plain}e3`);
}

function secondsOrMoment(value: unknown, now: number): number | undefined {
  const plain = decimal(value);
  if (plain === undefined)
    return typeof value === "string" ? (readDuration(value, 0) ?? untilDate(value, now)) : undefined;
  if (plain < EPOCH_SECONDS) return seconds(plain);
  return (plain < EPOCH_MS ? plain * 1_000 : plain) - now;
}

function untilDate(value: string, now: number): number | undefined {
  // A date has a time of day; "5 apples" is no date, whatever Date.parse makes of it.
  if (value.length > 64 || !/\d\d:\d\d/.test(value)) return undefined;
  return Date.parse(value) - now;
}

type Limit = readonly [reset: string, remaining: string];

/** Pairs of OpenAI, Groq and Anthropic: of several limits the one that is used up is the one to wait for. */
const LIMITS: readonly Limit[] = [
  ["x-ratelimit-reset-requests", "x-ratelimit-remaining-requests"],
  ["x-ratelimit-reset-tokens", "x-ratelimit-remaining-tokens"],
  ["anthropic-ratelimit-requests-reset", "anthropic-ratelimit-requests-remaining"],
  ["anthropic-ratelimit-input-tokens-reset", "anthropic-ratelimit-input-tokens-remaining"],
  ["anthropic-ratelimit-output-tokens-reset", "anthropic-ratelimit-output-tokens-remaining"],
  ["anthropic-ratelimit-tokens-reset", "anthropic-ratelimit-tokens-remaining"],
  ["anthropic-ratelimit-unified-reset", "anthropic-ratelimit-unified-status"],
];

function usedUpReset(headers: HeaderLookup, now: number): number | undefined {
  let shortest = Number.POSITIVE_INFINITY;
  for (const [reset, remaining] of LIMITS) {
    const wait = usable(secondsOrMoment(headers.get(reset), now));
    if (wait === undefined) continue;
    const left = headers.get(remaining);
    if (left === "0" || left === "rejected") return wait;
    shortest = Math.min(shortest, wait);
  }
  return usable(shortest);
}

/** Words after which a duration is a wait. The gap is bounded and free of digits. */
const BEFORE_WAIT =
  /(?:(?:again|retry|resets?|resetting|wait(?:ing)?|available|resumes?|cool ?down)(?![a-z])(?:[ _-]?after)?(?:[-_ ]?(ms))?[^\n\d]{0,24}?|请(?!求)[^\n\d]{0,6}?)(?=\d)/g;
const MOST_PLACES = 16;

/** "try again in 6m0s", "retry after 33 seconds", "Resets in 13 days", "retry-after-ms=11180000". */
function hintInText(text: string): number | undefined {
  if (!/\d/.test(text) || !/again|retry|reset|wait|available|resume|cool|请/.test(text)) return undefined;
  let longest = 0;
  let places = 0;
  for (const found of text.matchAll(BEFORE_WAIT)) {
    const at = found.index + found[0].length;
    const wait = readDuration(text, at) ?? bareNumber(text, at, found[0], found[1]);
    // "Please retry in 5s. Your limit will reset in 13 minutes": the longer one is the one that helps.
    longest = Math.max(longest, usable(wait) ?? 0);
    if (++places >= MOST_PLACES) break;
  }
  return usable(longest);
}

const NUMBER = /\d{1,15}(?:\.\d{1,12})?(?=[\s"',.;)}\]]*(?:$|\n|["'};)\]]|[.,;] ))/y;

/** `retry-after-ms=11180000` and `"retry_after": 5` have no unit behind the number. */
function bareNumber(text: string, at: number, words: string, ms: string | undefined): number | undefined {
  if (!/retry[ _-]after/.test(words)) return undefined;
  NUMBER.lastIndex = at;
  const found = NUMBER.exec(text);
  if (found === null) return undefined;
  return ms === undefined ? seconds(found[0]) : Number(found[0]);
}
