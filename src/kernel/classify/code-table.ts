import type { FailureKind } from "../model/failure.ts";
import { guessKind } from "./code-stems.ts";

/** What a provider's type, code or reason, or an errno, means. */
export interface CodeMeaning {
  readonly kind: FailureKind;
  /** Default: as the kind usually is. */
  readonly retryable?: boolean;
  /** Says no more than a status would (`invalid_request_error`, `INTERNAL`): a status, where there is one, comes first. */
  readonly generic: boolean;
  /** A gateway's word on what is behind it: it explains the gateway's own 5xx. */
  readonly ofGateway: boolean;
}

const LONGEST_CODE = 96;
const SEPARATORS = /[_\-.\s/]/g;

/** One spelling for `rate_limit_exceeded`, `RateLimitExceeded`, `rate-limit.exceeded`, `RateLimitExceededError`. */
export function normaliseCode(code: string): string {
  return withoutSuffix(withoutSuffix(bareCode(code), "exception"), "error");
}

/** "com.amazon.coral#ThrottlingException", "ThrottlingException:http://internal.amazon.com/…", "HttpClientErrorException$NotFound". */
function bareCode(code: string): string {
  if (code.length > LONGEST_CODE) return "";
  const from = Math.max(code.indexOf("#"), code.lastIndexOf("$")) + 1;
  const to = code.indexOf(":", from);
  return code
    .slice(from, to === -1 ? undefined : to)
    .toLowerCase()
    .replace(SEPARATORS, "");
}

function withoutSuffix(code: string, suffix: string): string {
  return code.endsWith(suffix) ? code.slice(0, -suffix.length) : code;
}

/** What SDKs and agents put in front of a code of their own: `AI_`, `ERROR_`, Dify's `Invoke`, Vercel's `Gateway`. */
const PREFIX = /^(?:ai|error|invoke|gateway|http|failedoperation|operationdenied|openai|anthropic)(?=\w{9})/;

export function meaningOf(code: string): CodeMeaning | undefined {
  const plain = normaliseCode(code);
  const known = TABLE.get(plain) ?? TABLE.get(plain.replace(PREFIX, ""));
  if (known !== undefined) return known;
  const guess = guessKind(bareCode(code));
  return guess === undefined ? undefined : { ...guess, ofGateway: false };
}

/** Whether somebody has shown us this very code. */
export function isTabled(code: string): boolean {
  return TABLE.has(normaliseCode(code));
}

export function isKnownCode(value: unknown): boolean {
  return typeof value === "string" && meaningOf(value) !== undefined;
}

type Row = readonly [kind: FailureKind, codes: string];

/**
 * Codes that mean one thing whatever the status. Written as `normaliseCode` gives them. When a body carries several, the one
 * of the earlier row counts: it shows best what to do.
 * Left out are codes that their words give away as well, unless they are known as classes or stand in camel case in texts:
 * there only listed ones count.
 */
const SPECIFIC: readonly Row[] = [
  [
    "context_overflow",
    `requesttoolarge exceedcontextsize contextlength promptistoolong payloadtoolarge requestentitytoolarge`,
  ],
  [
    "content_filter",
    `cyberpolicy datainspectionfailed safety recitation blocklist spii imagesafety sensitivewords sensitivewordsdetected violationdetected contentsecurity safetyfilter misusedetected refusal jailbreak bioriskpolicy`,
  ],
  [
    "usage_limit",
    `billing insufficientbalance exceededbudget servicequotaexceeded billingdisabled freeusagelimit freetieronly allocationquotafreetieronly keylimitexceeded exceededcurrentquota preconsumetokenquotafailed usagenotincluded useroverquota setlimitexceeded commodityisexpired commoditynotpurchased hardlimitreached`,
  ],
  [
    "auth",
    `authentication invalidauthentication unrecognizedclient invalidsignature signaturedoesnotmatch expiredtoken tokenexpired invalidgrant invalidclienttokenid incompletesignature accountdeactivated credentialsprovider authfailed authnotfound accesstokentypeunsupported loadapikey invalidorganization invalidproject apikeyserviceblocked apikeynotvalid authfailure authfailuresignaturefailure authfailuresecretidnotfound authfailuretokenfailure refreshtokenreused tokeninvalidated tokenrevoked apikeydisabled`,
  ],
  [
    "permission",
    `permission permissiondenied accessdenied forbidden insufficientpermissions validationrequired servicedisabled consumersuspended consumerinvalid ipnotauthorized mustbemember accessnotgranted optinrequired iprestricted apikeyhttpreferrerblocked apikeyipaddressblocked accessterminated modelnotavailableforintegrator modelterms modeltermsrequired usernotauthorized useridnotfound`,
  ],
  [
    "not_found",
    `notfound modelnotfound resourcenotfound invalidmodel modelnotavailable modelnotsupported invalidmodelid modelnotopen operationnotfound nosuchproject invalidmodelname modelarchived invalidendpointclosed`,
  ],
  [
    "rate_limit",
    `ratelimit ratelimitexceeded ratelimitreached toomanyrequests throttling requestlimitexceeded slowdown toomanytokens concurrencyquotaexceeded tooManyConcurrent requesttoofrequent provisionedthroughputexceeded limitrequests limitburstrate enginerequestlimit limitexceeded throughputlimit toomanyconcurrentrequests 1015`,
  ],
  [
    "overloaded",
    `overloaded modelcapacityexhausted modelnotready engineoverloaded insufficientcapacity serviceunavailable highdemand outofcapacity nodeploymentsavailable authunavailable resourceunavailable`,
  ],
  [
    "timeout",
    `timeout modeltimeout apitimeout readtimeout connecttimeout headerstimeout serveroverloadedtimeout sockettimeout`,
  ],
  [
    "stream_broken",
    `streamdisconnected streambroken incompleteread modelstreamerror unexpectedendofstream streamread streamreaderror chunkedencoding transferencoding contentlength clientpayload stream streamterminated jsondecode missingfield mismatchedinput unrecognizedproperty jsonmapping serialization errcontentlengthmismatch`,
  ],
  [
    "network",
    `econnreset econnrefused epipe eaiagain enotfound eproto eaifail enodata errhttp2session erremptyresponse apiconnection connection connectionreset connectionrefused zlib socket fetch failedtoopensocket connectionclosed remoteprotocol protocol zdata zbuf errsocketconnectiontimeout connect read write clientos serverdisconnected remotedisconnected newconnection maxretry sslhandshake ssl proxy noroutetohost clientconnection connectionrefusederror apiconnectionerror`,
  ],
  [
    "bad_request",
    `invalidargument outofrange failedprecondition validation invalidparameter invalidvalue
     unsupportedparameter unsupportedvalue unknownparameter missingrequiredparameter jsonvalidatefailed toolusefailed
     invalidtype unsupportedoperation invalidimage imageparse notsupported unsupportedmediatype
     invalidfunctionparameters invalidbase64 invalidimageformat imagetoolarge invalidimageurl unsupportedimagemediatype
     invalidjsonschema invalidschema badrequestbody methodnotallowed unprocessableentity unsupportedparams invalidprompt
     stringabovemaxlength integerbelowminvalue integerabovemaxvalue decimalabovemaxvalue arrayabovemaxlength missingparameter
     previousresponsenotfound invalidencryptedcontentcode unsupportedfunctionality invalidresponsebody
     unexpectedkeywordargument extraforbidden invalidfile unimplemented emptyimagefile errinvalidurl underrreqcontentlengthmismatch`,
  ],
  // The model's own slip: another try may well go right.
  ["invalid_content", "unexpectedtoolcall malformedresponse"],
  ["aborted", "abort aborterr errcanceled underraborted"],
];

/** The AI SDK's error for a text that is no JSON. Behind a failing status it says nothing: error pages are no JSON either. */
const NOT_JSON = "aijsonparse";

/** Codes that repeat what a status says: used where there is none. */
const GENERIC: readonly Row[] = [
  ["bad_request", "invalidrequest badrequest requestinvalid invalidjson clienterror userinput invalid"],
  [
    "server",
    `server api internal internalserver internalfailure unknowndataloss badgateway
     upstream provider serviceerror internalsystem
     backenderror generation inferenceerror internalserviceerror doRequestFailed badresponsestatuscode
     aiprovider requestfailed unknownerror`,
  ],
  // An endpoint that cancels is not an abort of ours.
  ["server", "aborted canceled cancelled requestcancelled conflict resourceconflict transactionaborted lockconflict"],
  ["stream_broken", `${NOT_JSON} typevalidation aitypevalidation`],
  ["overloaded", "unavailable"],
  ["rate_limit", "resourceexhausted requests tokens quotaexceeded exceededlimit limitreached quota quotafailure"],
];

/** Bifrost's, with a 502: none of its keys works. */
const OF_GATEWAY: readonly Row[] = [["auth", "upstreamcredentialsexhausted"]];

/** A kind's place in this list is its rank; no specific code means `server`. */
const RANKED: readonly FailureKind[] = [...new Set(SPECIFIC.map(([kind]) => kind)), "server"];

/** The lower, the more it shows; a code that only repeats a status comes after all others. */
export function rankOf({ kind, generic }: CodeMeaning): number {
  return RANKED.indexOf(kind) + (generic ? RANKED.length : 0);
}

function build(): ReadonlyMap<string, CodeMeaning> {
  const table = new Map<string, CodeMeaning>();
  // The specific rows come last, so that they win.
  for (const row of [...GENERIC, ...SPECIFIC, ...OF_GATEWAY]) {
    const [kind, codes] = row;
    const meaning: CodeMeaning = { kind, generic: GENERIC.includes(row), ofGateway: OF_GATEWAY.includes(row) };
    for (const code of codes.split(/\s+/)) table.set(normaliseCode(code), meaning);
  }
  // What is left of a bare "Error" says nothing.
  table.delete("");
  return table;
}

const TABLE = build();
