import { wording } from "./wording.ts";

/** A service that is there for some callers. A number ("only allows 5 users") is a limit; "user" is a role too. */
export const ONLY_FOR_OTHERS =
  /\bonly (?:allows?|permits?|accepts?|serves?) (?:(?:requests|calls) from\b|(?!\d|up to|one\b|a single)[^\n]{1,40}\b(?:clients|users|members|accounts|apps|customers)\b)/;

/** Who calls is known, and is not one of those who may: which words, in lower case, say so whatever the status. */
export const NOT_ALLOWED = wording(
  ONLY_FOR_OTHERS,
  /\b(?:restricted|limited|exclusive) to (?!\d)[^\n]{1,40}\b(?:clients|members|customers|apps|applications)\b/,
  /\brequest (?:was |is |has been )?denied by (?:\w{1,12} ){0,2}polic/,
  /\boutside\s[^\n]{0,40}\b(?:this|your)\s(?:credential|key|account|group)s?\s(?:may|can)\b/,
  /not eligible (?:for th(?:is|e) |to\b)/,
  /(?:insufficient|missing) (?:\w{1,12} )?(?:scope|permission|privilege)s?\b/,
);
