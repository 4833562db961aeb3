import { statusOfPhrase } from "./reason-phrase.ts";
import { wording } from "./wording.ts";

/**
 * A status in a text counts only where a status is meant: a bare 500 anywhere ("Wrote 500 lines") is none.
 * All patterns are anchored on a word and bounded, so that they stay linear.
 */
const AFTERWARDS = wording(
  /[\]:,;|]|\s*$|\s*[-–—:{[("'<`]|\s+[A-Z]|\s+[^\s -~]/,
  /\s+(?:too|rate|bad|internal|service|server|gateway|unauthorized|forbidden|not|request|payment|status)\b/,
  /\s+(?:error|client|you|your|this|upstream|provider|overloaded|model)\b/,
);
/** "429 Too Many Requests", "[429] …", "429 {…}", but not "500 lines". */
const AT_START = new RegExp(`^\\W{0,3}([45]\\d\\d)(?=${AFTERWARDS.source})`);

const BEFORE = wording(
  /status(?:[ _]?code)?|http(?:\/\d(?:\.\d)?)?(?:[ _](?:status|error|code))?|error[ _]code|(?<!exit )code/,
  /error|failed(?: with)?|responded with/,
);
const NO_COUNT = /(?![.,]\d|%|\s?(?:lines?|rows?|tokens?|chars?|characters|items?|bytes|ms|kb|mb|times)\b)/;
/** "status code 429", "HTTP 502:", "API Error (500)", but not "error: 500 lines". */
const AFTER_WORD = new RegExp(`\\b(?:${BEFORE.source})["']?[\\s:=#([]{1,3}["']?([45]\\d\\d)\\b${NO_COUNT.source}`, "i");
const IN_TITLE = /<title>[^<\d]{0,60}([45]\d\d)\b/i;

/** The HTTP status that a text states, if it states one. */
export function findStatus(text: string): number | undefined {
  const found = AT_START.exec(text) ?? AFTER_WORD.exec(text) ?? IN_TITLE.exec(text);
  return found === null ? statusOfPhrase(text) : Number(found[1]);
}

/** "Client error '400 Bad Request'", "Error code: 400 - ", "failed with status code 400". */
const REPORTED = /\b(?:client error|error code|status code|http error)[ :]{1,3}["']?(4\d\d)\b/i;

/** The status that counts: one from structure, unless the text of a 5xx reports the 4xx that it was made from. */
export function innerStatus(given: number | undefined, text: string): number | undefined {
  if (given === undefined || given < 400) return findStatus(text);
  if (given < 500) return given;
  const found = REPORTED.exec(text)?.[1];
  return found === undefined ? given : Number(found);
}
