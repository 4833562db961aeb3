import { statusInWords, statusOfPhrase } from "./reason-phrase.ts";
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

/** Nor is a count a status, or the number of a process in Spring Boot's logs ("ERROR 503 --- [main]"). */
const NO_COUNT =
  /(?![.,]\d|%| --- \[|\s?(?:lines?|rows?|tokens?|chars?|characters|items?|bytes|ms|kb|mb|times|seconds|requests?)\b)/;
const BEFORE = wording(
  /(?:status|response)(?:[ _-]?code)?|http(?:\/\d(?:\.\d)?)?(?:[ _]?(?:status|error|code)){0,2}|error[ _]code|(?<!exit[ _])code/,
  /failed(?: with)?|(?:responded|rejected|replied|answered)(?: with)?(?: an?)?|(?:returned|received|got|threw)(?: an?)?|not ok|\berr|\bapi|upstream/,
  /status|statuscode|fehler|erreur|erro|c[óo]digo(?: de \w{1,8})?/,
).source;
/** In Chinese, Japanese and Korean words have no borders. The class of an error has none in front: "CAPIError: 400 …". */
const BEFORE_ANYWHERE =
  /error|exception|ошибк[аи]|код|статус|状态码?|错误(?:代?码)?|返回|失败|异常|报错|エラー|ステータス(?:コード)?|오류|상태 ?코드/
    .source;
const BETWEEN = /["'`]?(?:[\s:=#([.·|>-]{1,4}|：|\s(?:of|was|is|code|status)\s)["'`[(]{0,2}/.source;
/** "status code 429", "HTTP 502:", "API Error (500)", "status [404]", but not "error: 500 lines". */
const AFTER_WORD = new RegExp(
  `(?:\\b(?:${BEFORE})|${BEFORE_ANYWHERE})(?:${BETWEEN})([45]\\d\\d)\\b${NO_COUNT.source}`,
  "i",
);
/** The milliseconds of a log's time ("03:52:26,429 ERROR"), and the number of a thread. */
const NO_FRACTION = /(?<!\d[.,]|:\d\d:|[a-z]-)/.source;
/** A number in front of what HTTP calls it. */
const WITH_PHRASE = new RegExp(
  `${NO_FRACTION}\\b([45]\\d\\d)[\\s:,-]{1,3}["'“(]{0,2}(?:${
    wording(
      /bad request|unauthorized|payment required|forbidden|not found|method not|not acceptable|request time|conflict\b/,
      /gone\b|payload too|request entity|content too|unsupported media|unprocessable|too many|internal server|bad gateway/,
      /not implemented|service (?:temporarily )?unavailable|gateway time|status code|client error|server error|from (?:the )?(?:upstream|provider|server|api|model)/,
    ).source
  })|${NO_FRACTION}\\b([45]\\d\\d)(?: ?(?:错误|状态码)|, message=| (?:error|response)\\b)|\\b(?:post|get) https?:\\/\\/\\S{4,200} ([45]\\d\\d)\\b`,
  "i",
);
/** The same further on, where a clause starts: "… ERROR llm:87 - 401 Invalid key", but not "Limit: 500 Used". */
const AT_CLAUSE =
  /(?<!(?:[Ll]imit|[Uu]sed|[Rr]equested|[Mm]ax|[Tt]okens?|[Tt]otal|[Cc]ount|[Ss]ize|[Qq]uota|[Ll]ine) ?)(?:[:–—-] |\n)([45]\d\d)(?= (?:[A-Z][a-z]{2}|\{))/;
/** "Request rejected (429) · …" */
const ALONE = /[a-z] \(([45]\d\d)\)(?! (?:lines|tokens|words))/;
const IN_TITLE = /<title>[^<\d]{0,60}([45]\d\d)\b/i;
/** Too long for anything but a status, wherever they stand. */
const PHRASE_ANYWHERE =
  /\b[Uu]nprocessable (?:[Ee]ntity|[Cc]ontent)\b|\b[Mm]ethod [Nn]ot [Aa]llowed\b|\b[Uu]nsupported [Mm]edia [Tt]ype\b/;

const HAS_NUMBER = /(?<!\d\.?)[45]\d\d(?!\d)/;

/** The HTTP status that a text states, if it states one. */
export function findStatus(text: string): number | undefined {
  const start = AT_START.exec(text);
  if (start !== null) return Number(start[1]);
  // Most texts have no such number.
  if (!HAS_NUMBER.test(text)) return statusOfPhrase(text) ?? statusOfPhrase(PHRASE_ANYWHERE.exec(text)?.[0] ?? "");
  const found =
    earlier(AFTER_WORD.exec(text), WITH_PHRASE.exec(text)) ??
    AT_CLAUSE.exec(text) ??
    IN_TITLE.exec(text) ??
    ALONE.exec(text);
  return found === null ? statusOfPhrase(text) : Number(found[1] ?? found[2] ?? found[3]);
}

function earlier(a: RegExpExecArray | null, b: RegExpExecArray | null): RegExpExecArray | null {
  return a !== null && (b === null || a.index <= b.index) ? a : b;
}

/** "Client error '400 Bad Request'", "Error code: 400 - ", "failed with status code 400", "status [404]". */
const REPORTED =
  /\b(?:client error|error code|status code|http error|(?:response|returned|http) status(?: code)?|request status|request failed(?: with)?|status(?= \[))[ :]{1,3}["'[(]{0,2}(4\d\d)\b/i;

const HAS_CLIENT_ERROR = /4\d\d/;

/** The status that counts: the outer one, unless the text of a 5xx or a 400 reports the 4xx that it was made from. */
export function innerStatus(given: number | undefined, text: string): number | undefined {
  const outer = given === undefined || given < 400 ? (findStatus(text) ?? statusInWords(text)) : given;
  return reportedStatus(outer, text);
}

/** The 4xx that a 5xx or a 400 was made from, where the text reports it. */
export function reportedStatus(outer: number | undefined, text: string): number | undefined {
  if (outer === undefined || (outer < 500 && outer !== 400)) return outer;
  const found = HAS_CLIENT_ERROR.test(text) ? REPORTED.exec(text)?.[1] : undefined;
  return found === undefined ? outer : Number(found);
}
