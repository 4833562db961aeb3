/**
 * Reason phrases of HTTP that say too little for a wording of their own ("Gone", "Conflict"). An error that is the status
 * text alone contains nothing else, so they count as the whole text only.
 */
const PHRASES: ReadonlyMap<string, number> = new Map([
  ["method not allowed", 405],
  ["not acceptable", 406],
  ["request timeout", 408],
  ["conflict", 409],
  ["gone", 410],
  ["length required", 411],
  ["precondition failed", 412],
  ["content too large", 413],
  ["uri too long", 414],
  ["unsupported media type", 415],
  ["unprocessable entity", 422],
  ["unprocessable content", 422],
  ["range not satisfiable", 416],
  ["expectation failed", 417],
  ["i'm a teapot", 418],
  ["misdirected request", 421],
  ["locked", 423],
  ["failed dependency", 424],
  ["too early", 425],
  ["upgrade required", 426],
  ["precondition required", 428],
  ["request header fields too large", 431],
  ["unavailable for legal reasons", 451],
]);

const LONGEST = 40;

/** The status of a text that is a bare reason phrase. */
export function statusOfPhrase(text: string): number | undefined {
  return text.length > LONGEST ? undefined : PHRASES.get(text.trim().toLowerCase());
}

const COMMON: ReadonlyMap<string, number> = new Map([
  ["bad request", 400],
  ["unauthorized", 401],
  ["payment required", 402],
  ["forbidden", 403],
  ["not found", 404],
  ["too many requests", 429],
  ["internal server error", 500],
  ["bad gateway", 502],
  ["service unavailable", 503],
  ["gateway timeout", 504],
]);
const ANY_COMMON = [...COMMON.keys()].join("|");
/** "failed with status Not Found". */
const AFTER_STATUS = new RegExp(`\\bstat[ui]s(?: code| text)?[:= ]{1,3}["']?(${ANY_COMMON})\\b`, "i");
/** The last line, below the headline of a client, or all that a class says: "OllamaException - unauthorized". */
const LAST_LINE = new RegExp(`(?:\\n|(?:error|exception)(?: -|:) )(${ANY_COMMON})[\\s.!\\])"'\`]{0,8}$`, "i");

/** The status of a reason phrase that a text gives as the status, or ends with. */
export function statusInWords(text: string): number | undefined {
  const found = AFTER_STATUS.exec(text) ?? LAST_LINE.exec(text);
  return found === null ? undefined : COMMON.get((found[1] as string).toLowerCase());
}
