import { durationAt } from "./read-duration.ts";
import { finer, usable } from "./read-wait.ts";

const UNIT = "ms|millis(?:econds)?|s(?:ec(?:ond)?s?)?|min(?:ute)?s?";
/**
 * A name and its value, in a lower-case text: `"retry_after": 5`, `retryafterms=1500`, `seconds until reset: 90`,
 * `('retry-after', '17')`. What stands between the parts of a name does not matter.
 */
const NAMED = new RegExp(
  "(retry|(?:ratelimit[-_])?resets?|wait|cool-?down|try[-_ ]?again|available|un(?:b?lock|ban)s?|clears?|estimated[-_ ]time)" +
    `((?:[-_ ]?(?:after|in|delay|time|remaining|for|requests|tokens))*)[-_ ]?\\(?(?:in )?(${UNIT})?\\)?(?:_raw)?` +
    "(?:[\"'\\\\]{0,4}\\s?(?:[:=]|=>)\\s?[\"'\\\\]{0,4}|[\"'], ?[\"']|(?<=retry[-_ ]?after) )(?=p?t?\\d)",
  "g",
);
/** In front of a name: `seconds_until_reset`. */
const UNTIL = new RegExp(`(${UNIT}|time)[-_ ]?(?:until|to|before)[-_ ]?(?:next[-_ ]?)?$`);
/** A value without a unit ends where the value of a field or the sentence does, or where a trace begins. */
const NUMBER = /\d{1,15}(?:\.\d{1,20})?(?=[\s"',.;)}\]\\]*(?:$|\n|["'};)\]]|[.,;] | at ))/y;
/** `retry_delay { seconds: 51 nanos: 5 }`: what gRPC prints in Python. */
const PRINTED = /retry_?delay["']?:? ?\{\s{0,8}["']?seconds["']?: ?(\d{1,9})(?:,?\s{1,8}["']?nanos["']?: ?(\d{1,9}))?/;
/** Bounds, and sums of what is over. */
const OTHER = /(?:max(?:imum)?|min(?:imum)?|total|initial|base|elapsed|connection|will|we)[-_ ]?(?:\w{1,8}[-_ ])?$/;
const MOST_PLACES = 16;

/** The wait that a name in a text has as its value. Of several the one for retries counts, and the one in milliseconds. */
export function namedWait(text: string): number | undefined {
  const printed = PRINTED.exec(text);
  if (printed !== null) return usable(Number(printed[1]) * 1_000 + Number(printed[2] ?? 0) / 1e6);
  let wait = 0;
  let best = 0;
  NAMED.lastIndex = 0;
  for (let i = 0; i < MOST_PLACES; i++) {
    const found = NAMED.exec(text);
    if (found === null) break;
    const { 1: verb = "", 2: words = "", 3: last, index } = found;
    const before = text.slice(Math.max(0, index - 24), index);
    if (OTHER.test(before)) continue;
    const unit = last ?? UNTIL.exec(before)?.[1];
    const at = index + found[0].length;
    const isPlain = unit !== undefined || /after|in\b/.test(words) || /est|ratel|cl/.test(verb);
    // "retry after 33 seconds" is a sentence, "retry after 33" and "retry after: 33s" are no more than a name and its value.
    const ms = usable(
      (/[a-z] $/.test(found[0]) ? undefined : durationAt(text, at)?.ms) ??
        (isPlain ? bareNumber(text, at, unit) : undefined),
    );
    if (ms === undefined) continue;
    const rank = 1 + (verb === "retry" ? 2 : 0) + (unit !== undefined && /^m(?!in)/.test(unit) ? 1 : 0);
    if (rank < best) continue;
    wait = rank > best ? ms : (finer(Math.max(wait, ms), Math.min(wait, ms)) as number);
    best = rank;
  }
  return usable(wait);
}

function bareNumber(text: string, at: number, unit: string | undefined): number | undefined {
  NUMBER.lastIndex = at;
  const found = NUMBER.exec(text)?.[0];
  if (found === undefined) return undefined;
  if (unit === undefined || !unit.startsWith("m")) return Number(`${found}e3`);
  return Number(found) * (unit.startsWith("min") ? 60_000 : 1);
}
