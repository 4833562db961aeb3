import type { Facts } from "./facts.ts";
import { namedWait } from "./named-wait.ts";
import { readDuration } from "./read-duration.ts";
import type { HeaderLookup } from "./read-headers.ts";
import { readRateLimits } from "./read-rate-limits.ts";
import { decimal, finer, seconds, secondsOrMoment, sentAt, untilDate, usable } from "./read-wait.ts";
import { saidWait } from "./said-wait.ts";

/** The wait that the endpoint asks for in plain terms: `retry-after` headers, RetryInfo, words, fields. */
export function readHint(facts: Facts, headers: HeaderLookup, text: string, now: number): number | undefined {
  const inHeaders = usable(decimal(headers.get("retry-after-ms"))) ?? usable(retryAfter(headers, now));
  const named = facts.waits === "" ? undefined : namedWait(facts.waits);
  if (inHeaders !== undefined) return finer(inHeaders, named);
  const delay = usable(typeof facts.retryDelay === "string" ? readDuration(facts.retryDelay) : undefined);
  if (!MAY_NAME_A_WAIT.test(text)) return finer(delay, named);
  const said = finer(delay, saidWait(text) ?? saidInWrapped(text));
  return finer(said, named ?? namedWait(text));
}

/** A number in front of a unit or behind a name, a word for a length, or another script: most texts have none. */
const MAY_NAME_A_WAIT =
  /\d[ -]?(?:more )?(?:[dghjmosw]|ta|ng|ph)|\d:\d\d:|[^\d][:=>,"'\\]\s?["'\\]{0,4}(?:p?t)?\d|after p?t?\d|[^\n -~]| (?:second|minute|hour|day)/;

/** When the limit ends, from headers and fields that are there on every answer: only for the rate-limit family. */
export function readReset(facts: Facts, headers: HeaderLookup, ownNow: number): number | undefined {
  if (facts.headers.length === 0) return usable(secondsOrMoment(facts.resetsAt, ownNow));
  const now = Number.isNaN(ownNow) ? ownNow : sentAt(headers.get("date"), ownNow);
  return (
    usable(decimal(headers.get("x-ratelimit-reset-ms"))) ??
    usable(secondsOrMoment(headers.get("x-ratelimit-reset"), now)) ??
    usable(secondsOrMoment(headers.get("ratelimit-reset"), now)) ??
    usable(seconds(headers.get("x-codex-primary-reset-after-seconds"))) ??
    usedUpReset(facts, headers, now) ??
    usable(secondsOrMoment(facts.resetsAt, now))
  );
}

function retryAfter(headers: HeaderLookup, now: number): number | undefined {
  const value = headers.get("retry-after");
  if (value === undefined) return undefined;
  // A `Headers` joins what was sent twice: "7, 30".
  const plain = seconds(value) ?? seconds(/^[\d.]+(?=, )/.exec(value)?.[0]);
  if (plain !== undefined) return plain;
  return readDuration(value) ?? untilDate(value, sentAt(headers.get("date"), now));
}

/** Of several limits those that are used up are the ones to wait for; else the one that ends first. */
function usedUpReset(facts: Facts, headers: HeaderLookup, now: number): number | undefined {
  const unified = usable(secondsOrMoment(headers.get("anthropic-ratelimit-unified-reset"), now));
  if (unified !== undefined && headers.get("anthropic-ratelimit-unified-status") === "rejected") return unified;
  for (const bag of facts.headers) {
    const { requests, tokens } = readRateLimits(bag, now);
    // Any that is used up is greater than all that are not, and of those the nearest is the greatest.
    const ends = [requests, tokens].flatMap(({ resetMs, remaining } = {}) =>
      resetMs === undefined ? [] : remaining === 0 ? resetMs : -resetMs,
    );
    if (ends.length > 0) return Math.abs(Math.max(...ends));
  }
  return unified;
}

/** A line that a terminal has ended within a sentence, or within a word ("try a", "gain after 1 seconds"). */
const WRAPPED = /(?<=[a-z,])\n(?=[a-z\d])/g;

/** The same in a text without its line breaks. Words that are joined by mistake ask for nothing. */
function saidInWrapped(text: string): number | undefined {
  const joined = text.replace(WRAPPED, "");
  return joined === text ? undefined : (saidWait(joined) ?? saidWait(text.replace(WRAPPED, " ")));
}
