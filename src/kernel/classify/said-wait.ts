import { DURATION, durationAt } from "./read-duration.ts";
import { usable } from "./read-wait.ts";

/** A part of the same clause, without another number. */
const GAP = "(?:[^\\n\\d.;!?。，；！{}]|(?<=approx|ca)\\.)";
/** May stand between the words of waiting and the number. */
const GLUE =
  "(?:[\\s:=~≈(\"'`*\\[]|about|approx(?:imately|\\.)|ca\\.|around|roughly|(?:at )?least|another|a further|the next|up to|less than|more than|minimum|an?|is|of|just|estimated)";

/** What asks for a wait by itself: a number may follow at once. */
const ASKS =
  "(?<!connection |stream |socket |peer )(?<![a-z])(?:again|retry|reset(?:s|ting)?|(?:wait|remaining|estimated)(?: time)?|queue time|eta|hold off|come back|back off|pause|cool-?down|time left)(?![a-z])";
/** What ends with a wait: "resets in". A negation makes it a report: "did not become available in 30 s". */
const ENDS =
  "(?<!(?:not|n't|never|failed to|unable to) [^\\n.,;]{0,20})(?<![a-z])(?:available|try|expected|back|(?:resum|refresh|renew|replenish|restor|un(?:b?lock|bann)|lift|refill)\\w{0,2}|ready|cool(?:s|ing)? down|clears|free[sd]?|able to|next(?! (?:retry|attempt|try))|another|(?:ban|block|limit|lock|penalty|restriction|cool)[^\\n\\d.]{0,12} (?:expire|end)s?)(?![a-z])";
/** What goes on for a while, from now on. */
const LASTS =
  "(?<!(?:was|were|had been) (?:\\w{1,12} )?)(?<![a-z])(?:blocked|banned|locked|suspended|limited|throttled|restricted|unavailable|can't|cannot|may not)(?![a-z])";
const ELSEWHERE =
  "请(?!求)|剩余|[还需]要?[等有需]|稍候|あと|(?<!de )esper[ea](?![dim])|aguard|int[eé]nt|novament|de novo|attend(?!u)|patient|r[eé]ess|(?<!er)warte(?!te|z)|versuch(?!e in)|подожд|через|riprov|ponown|czeka(?!n)|đợi|lại|(?<!gian )chờ|tunggu|lagi";
const BEFORE = new RegExp(
  `(?:${ASKS}(?:${GAP}{0,40}?[ (](?:in|after|for|within))?|${ENDS}${GAP}{0,32}?[ (](?:in|after|within)|${LASTS}${GAP}{0,32}? for|(?:${ELSEWHERE})${GAP}{0,20}?)${GLUE}{0,6}$`,
);

/** Numbers of something else right in front: windows, moments, ends of a range. */
const NOT_LONG = /(?:\b(?:per|every|each|last|past|at|on|half|(?<!up )to)|[每过過最]近?去?) ?$/;
/** A client's own wait, told while it waits. */
const OWN =
  /(?<!before |of |try )\b(?:(?:retry|wait|sleep|paus|rate limit)ing|backing off|retries)(?: (?:for|in|after))?[ :~(]{0,3}$/;
const OWN_BEFORE = /(?:(?<!before |of |try )retrying|will retry)\b[^\n]{0,120}$/;
/** "We retry after 20 s": not a request. */
const REPORTED = /(?:\b(?:will|we|i|next)|'ll|\bauto\S*) ?$/;
/** Waits that are over, and bounds of them. */
const OVER =
  /\b(?:total|already|after|timed? ?out|elapsed|spent|max(?:imum)?|exceed(?:ed|s)? the|recently[^\n]{0,30})[ :,]{0,3}(?:retry |\w{1,8} )?$/;
const MANY = /\b(?:many|much|only|failed|took|timed|no|did ?n[o']t|for more)\b|已/;
/** Beyond the end of the sentence's string: `"please try again.", "request_id": "27d5…"`. */
const STRING_END = /["'],/;

/** Behind a duration: "20 seconds until the limit resets", "35 s left", "30-second cooldown", "30秒后再试". */
const AFTER =
  /^[ -](?:remaining|left|to (?:go|wait)|cool-?down|wait|(?:until|till|before) [^\n\d.;]{0,40}(?:reset|try|again|next|another|refresh|unlock|avail|resum|send))|^ ?(?:[之以]?[后後]に?[^\n\d。]{0,16}(?:再(?!試行します)|重置|恢复|解|可|继续|もう|利用|送信)|を?お?待(?!ちま)|(?:동안 |만 )?기다(?!렸)|(?:후|뒤)에?[^\n\d.]{0,12}(?:다시|재|시도|이용|가능)| ?(?:sonra (?:te|ye|de)|bekle(?!d)|warten|erneut))/;
const FIRST = /(?:^|[.!:;,\n(] ?)(?:in|after) (?:about )?$/;
const THEN = /^,? (?:you (?:can|may|will)|try|please|retry)/;
const SPENT = /\b(?:after|total|spent|elapsed)(?: of| a)* $/;

/** In words, where a digit would stand; "a second" is no more than a moment. */
const SPELLED =
  /\b(?:(an?(?! sec)|one)|(two)|(three)|(five)|(ten)|(fifteen)|(twenty)|(thirty)|(sixty)) (?=(?:second|minute|hour|day)s?\b)/g;
const LENGTH = /second|minute|hour|day/;
const NUMBERS = [1, 2, 3, 5, 10, 15, 20, 30, 60];
const MOST_PLACES = 32;
const CHARS_AROUND = 96;

/** "try again in 6m0s", "Your limit resets in 13 days", "20 seconds left": the longest wait that a lower-case text asks for. */
export function saidWait(text: string): number | undefined {
  const plain = LENGTH.test(text) ? spelledOut(text) : text;
  let longest = 0;
  DURATION.lastIndex = 0;
  for (let i = 0; i < MOST_PLACES; i++) {
    const at = DURATION.exec(plain)?.index;
    if (at === undefined) break;
    const found = durationAt(plain, at);
    if (found === undefined) continue;
    DURATION.lastIndex = found.end;
    // "Please retry in 5s. Your limit will reset in 13 minutes": the longer one is the one that helps.
    if (isAskedFor(plain, at, found.end)) longest = Math.max(longest, usable(found.ms) ?? 0);
  }
  return usable(longest);
}

function spelledOut(text: string): string {
  return text.replace(SPELLED, (_, ...found) => `${NUMBERS[found.findIndex((word) => word !== undefined)]} `);
}

function isAskedFor(text: string, at: number, end: number): boolean {
  const start = Math.max(0, at - CHARS_AROUND);
  const before = text.slice(start, at).replace(/(?<![a-z\d])pt?$/, "");
  const after = text.slice(end, end + CHARS_AROUND);
  // A part of a number, a date, a range or an id.
  if (/[\w.,+月年時–-]$/.test(before) || /^(?:[\w:]| (?:ago|of|tokens|context|period|window)| ?以?内)/.test(after))
    return false;
  if (NOT_LONG.test(before) || OWN.test(before)) return false;
  // "14:05:33" is a time of day, unless it is said to be a length.
  if (text.charAt(end - 3) === ":" && !/(?:in|for|wait) $/.test(before)) return false;
  const found = BEFORE.exec(before);
  if (found !== null) return isRequest(text.slice(Math.max(0, start - CHARS_AROUND), start + found.index), found[0]);
  return (AFTER.test(after) && !SPENT.test(before)) || (FIRST.test(before) && THEN.test(after));
}

function isRequest(lead: string, words: string): boolean {
  // A router's pause of its own, in brackets behind the error: "(reset after 2m)".
  if (lead.endsWith("(") && words.startsWith("reset after")) return false;
  if (/^(?:re)?try/.test(words) && REPORTED.test(lead)) return false;
  return !(MANY.test(words) || STRING_END.test(words) || OWN_BEFORE.test(lead) || OVER.test(lead));
}
