import type { Facts } from "./facts.ts";
import { readDuration } from "./read-duration.ts";
import type { HeaderLookup } from "./read-headers.ts";
import { readRateLimits } from "./read-rate-limits.ts";
import { decimal, seconds, secondsOrMoment, untilDate, usable } from "./read-wait.ts";

/** The wait that the endpoint asks for in plain terms: `retry-after` headers, RetryInfo, words. */
export function readHint(facts: Facts, headers: HeaderLookup, text: string, now: number): number | undefined {
  return (
    usable(decimal(headers.get("retry-after-ms"))) ??
    usable(retryAfter(headers.get("retry-after"), now)) ??
    finer(usable(typeof facts.retryDelay === "string" ? readDuration(facts.retryDelay, 0) : undefined), text) ??
    usable(seconds(facts.waitSeconds)) ??
    usable(decimal(facts.waitMs))
  );
}

/** The words beside a delay in whole seconds give its fraction too. */
function finer(delay: number | undefined, text: string): number | undefined {
  const said = hintInText(text) ?? hintInWrapped(text);
  if (delay === undefined || said === undefined) return delay ?? said;
  return said > delay && said < delay + 1_000 ? said : delay;
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
    usable(secondsOrMoment(facts.resetsAt, now)) ??
    anyReset(facts, now)
  );
}

function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const plain = seconds(value);
  if (plain !== undefined) return plain;
  return readDuration(value.toLowerCase(), 0) ?? untilDate(value, now);
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

/** Names that only a general reading of the headers knows. */
function anyReset(facts: Facts, now: number): number | undefined {
  for (const bag of facts.headers) {
    const { requests, tokens } = readRateLimits(bag, now);
    const usedUp = [requests, tokens].find((limit) => limit?.remaining === 0)?.resetMs;
    const reset = usedUp ?? requests?.resetMs ?? tokens?.resetMs;
    if (reset !== undefined) return reset;
  }
  return undefined;
}

/** Words after which a duration is a wait. The gap is bounded and free of digits. */
const BEFORE_WAIT =
  /(?:(?:again|retry|(?:retry|reset)_?delay|resets?|resetting|wait|available|resumes?|cool ?down|come back|be back|hold off|(?:refreshe[sd]|renews|replenished|restored|unlock(?:s|ed)|lifted|will be ready)(?= in )|(?:is|are|ha(?:ve|s) been) (?:temporarily )?(?:blocked|banned|locked)(?= for ))(?![a-z])(?:[ _-]?after)?(?:[-_ ]?(ms))?[^\n\d]{0,24}?|请(?!求)[^\n\d]{0,6}?|(?:espere|aguarde|attendez|patientez|warten sie|подождите|через|lütfen)[^\n\d]{0,12}?)(?=\d)/g;
const MOST_PLACES = 16;
/** Waits that are over, or that are meant for another case. */
const NOT_A_REQUEST =
  /(?:retrying|will retry) [^\n]{0,120}$|(?:total|already|after|have|timed out|elapsed|spent|recently[^\n]{0,30})[ :,]{0,3}(?:retry |\w{1,8} )?$/;
const IN_A_MINUTE = /(?:again|retry|wait)[^\n\d]{0,8} (?:a|one) minute\b/;
/** `retry_delay { seconds: 51 }`: what gRPC prints in Python. */
const PRINTED_DELAY = /retry_?delay["']?:? ?\{\s{0,8}["']?seconds["']?: ?(\d{1,9})/;

/** "try again in 6m0s", "retry after 33 seconds", "Resets in 13 days", "retry-after-ms=11180000". */
function hintInText(text: string): number | undefined {
  if (
    !/again|retry|reset|wait|available|resume|cool|back|hold off|she[sd]|renew|restored|lock|ready|lifted|banned|请|espere|aguarde|attend|patient|warten|подож|через|lütfen/.test(
      text,
    )
  )
    return undefined;
  let longest = usable(seconds(PRINTED_DELAY.exec(text)?.[1])) ?? (IN_A_MINUTE.test(text) ? 60_000 : 0);
  let places = 0;
  for (const found of text.matchAll(BEFORE_WAIT)) {
    const at = found.index + found[0].length;
    const before = text.slice(Math.max(0, found.index - 120), found.index);
    // A router's pause of its own, in brackets behind the error: "(reset after 2m)".
    if (before.endsWith("(") && found[0].startsWith("reset after")) continue;
    // Beyond the end of the sentence's string: `"please try again.", "request_id": "27d5…"`.
    if (/["'],/.test(found[0])) continue;
    if (NOT_A_REQUEST.test(before) || (found[0].startsWith("retry") && before.endsWith("will "))) continue;
    const wait = readDuration(text, at) ?? bareNumber(text, at, found[0], found[1]);
    // "Please retry in 5s. Your limit will reset in 13 minutes": the longer one is the one that helps.
    longest = Math.max(longest, usable(wait) ?? 0);
    if (++places >= MOST_PLACES) break;
  }
  return usable(longest);
}

/** A line that a terminal has ended within a sentence, or within a word ("try a", "gain after 1 seconds"). */
const WRAPPED = /(?<=[a-z,])\n(?=[a-z\d])/g;

const ANY_DURATION = /\d ?(?:ms|[smhd])/;

/** The same in a text without its line breaks. Words that are joined by mistake ask for nothing. */
function hintInWrapped(text: string): number | undefined {
  if (!text.includes("\n") || !ANY_DURATION.test(text) || text.search(WRAPPED) === -1) return undefined;
  return hintInText(text.replace(WRAPPED, "")) ?? hintInText(text.replace(WRAPPED, " "));
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
