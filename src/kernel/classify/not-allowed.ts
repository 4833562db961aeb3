import { wording } from "./wording.ts";

/** A service that is there for some callers. A number ("only allows 5 users") is a limit; "user" is a role too. */
export const ONLY_FOR_OTHERS = wording(
  /\bonly (?:allows?|permits?|accepts?|serves?) (?:requests|calls|traffic|connections) from\b/,
  /\bonly (?:allows?|permits?|accepts?|serves?) (?!\d|up to|one\b|a single)[^\n]{1,40}\b(?:clients|users|members|accounts|apps|customers|subscribers)\b/,
);

/** Who calls is known, and is not one of those who may: which words, in lower case, say so whatever the status. */
export const NOT_ALLOWED = wording(
  ONLY_FOR_OTHERS,
  /\b(?:restricted|limited|exclusive) to (?!\d)[^\n]{1,40}\b(?:clients|members|customers|subscribers|apps|applications|organi[sz]ations)\b/,
  /\brequest (?:was |is |has been )?denied by (?:\w{1,12} ){0,2}polic/,
  /\boutside\s(?:of\s)?(?:the\s)?[^\n]{0,30}\b(?:this|your)\s(?:credential|key|token|account|group|user|project)s?\s(?:may|can|is allowed to)\b/,
  /insufficient (?:permissions?|privileges?|scopes?|access)\b|missing (?:\w{1,12} )?(?:scopes?|permissions?|privileges?)\b/,
);
