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
