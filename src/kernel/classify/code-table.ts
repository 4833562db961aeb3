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

type Row = readonly [kind: FailureKind, codes: string, retryable?: boolean];

/**
 * Codes that mean one thing whatever the status. Written as `normaliseCode` gives them. When a body carries several, the one
 * of the earlier row counts: it shows best what to do.
 */
const SPECIFIC: readonly Row[] = [
  [
    "context_overflow",
    `contextlengthexceeded contextwindowexceeded modelcontextwindowexceeded requesttoolarge exceedcontextsize
     contextoverflow contextlength maxtokensexceeded promptistoolong prompttoolong inputtoolong tokenlimitexceeded
     contextwindowlimitexceeded inputtokenlimitexceeded contextlimitexceeded payloadtoolarge requestentitytoolarge
     contexttoolarge messagestoolong modelmaxpromptlengthexceeded modelmaxprompttokensexceeded inputlengthexceeded`,
  ],
  [
    "content_filter",
    `contentfilter contentfiltered contentpolicyviolation responsibleaipolicyviolation cyberpolicy datainspectionfailed
     safety recitation prohibitedcontent blocklist spii imagesafety moderationblocked contentmoderation contentblocked
     guardrailintervened guardrailviolation sensitivewords sensitivewordsdetected promptblocked violationdetected
     outputblocked contentsecurity imagecontentfiltered safetyfilter policyviolation inputsensitive outputsensitive
     sensitivecontentdetected inputtextsensitivecontentdetected outputtextsensitivecontentdetected misusedetected
     refusal jailbreak bioriskpolicy inappropriatecontent`,
  ],
  [
    "usage_limit",
    `insufficientquota billing billinghardlimitreached billingnotactive usagelimitreached usagelimitexceeded usagelimit
     insufficientbalance insufficientcredits insufficientcredit insufficientfunds insufficientuserquota quotaexhausted
     quotanotenough paymentrequired creditsexhausted creditexhausted outofcredits budgetexceeded exceededbudget
     dailylimitexceeded servicequotaexceeded arrearage accountoverdue billingdisabled freeusagelimit
     freetieronly allocationquotafreetieronly insufficientg1creditsbalance monthlylimitexceeded quotaexceededdaily
     organizationquotaexceeded accountquotaexceeded planlimitreached spendlimitreached spendinglimitreached
     monthlyspendinglimitreached creditlimitexceeded creditlimitreached keylimitexceeded exceededcurrentquota
     preconsumetokenquotafailed tokenquotanotenough usagenotincluded subscriptionquotainsufficient freequotaexceeded
     dailyquotaexceeded monthlyquotaexceeded useroverquota balanceinsufficient goUsageLimit
     weeklylimitexceeded purchasedquotaexceeded workspacememberusagelimitreached monthlyusagelimit creditbalancetoolow
     setlimitexceeded accountbalanceinsufficient postpaidbilloverdue prepaidbilloverdue
     commodityisexpired commoditynotpurchased organizationspendlimitexceeded hardlimitreached`,
  ],
  [
    "auth",
    `authentication unauthorized unauthenticated invalidapikey apikeyinvalid incorrectapikey invalidauthentication
     unrecognizedclient invalidsignature signaturedoesnotmatch expiredtoken tokenexpired invalidtoken invalidgrant
     accesstokenexpired missingapikey noapikey apikeymissing invalidclienttokenid incompletesignature
     apikeyexpired invalidapikeyformat accountdeactivated invalidcredentials credentialsprovider invalidaccesstoken
     authfailed authnotfound accesstokentypeunsupported credentialsmissing loadapikey
     invalidorganization invalidproject apikeyserviceblocked apikeynotvalid authfailure authfailuresignaturefailure
     authfailuresecretidnotfound authfailuretokenfailure invalidiamtoken missingauthenticationtoken refreshtokenreused
     refreshtokenexpired tokeninvalidated tokenrevoked apikeydisabled iamauthenticationerror missingauthorization`,
  ],
  [
    "permission",
    `permission permissiondenied accessdenied forbidden insufficientpermissions modelaccessdenied unsupportedcountryregionterritory
     validationrequired servicedisabled consumersuspended consumerinvalid ipnotauthorized mustbemember organizationrestricted
     modelnotallowed accessnotgranted optinrequired iprestricted apikeyhttpreferrerblocked apikeyipaddressblocked
     accessterminated accessdeniedunpurchased modelnotavailableforintegrator accountsuspended unsupportedregion
     locationunsupported modelterms modeltermsrequired accountblocked usernotauthorized useridnotfound apiaccessdenied
     operationdenied workspaceaccessdenied keymodelaccessdenied teammodelaccessdenied`,
  ],
  [
    "not_found",
    `notfound modelnotfound deploymentnotfound resourcenotfound modelnotexist modelnotexists nosuchmodel unknownmodel
     invalidmodel modelnotavailable modelnotsupported invalidmodelid modelnotopen invalidendpointormodelnotfound
     endpointnotfound modeldeprecated operationnotfound nosuchproject invalidmodelname aimodelnotfound
     apideploymentnotfound modeldecommissioned modelarchived invalidendpointclosed`,
  ],
  [
    "rate_limit",
    `ratelimit ratelimitexceeded ratelimited ratelimitreached toomanyrequests throttling throttled
     requestlimitexceeded slowdown throttlingratequota throttlingburstrate throttlingallocationquota userratelimitexceeded
     requestsratelimitexceeded tokensratelimitexceeded toomanytokens concurrencylimitexceeded
     concurrentlimitexceeded concurrentrequestslimitreached concurrencyquotaexceeded rpmexceeded tpmexceeded
     requestburstaccountratelimitexceeded accountratelimitexceeded accountrpmratelimitexceeded accounttpmratelimitexceeded
     modelaccountrpmratelimitexceeded modelaccounttpmratelimitexceeded modelaccountipmratelimitexceeded tooManyConcurrent
     requesttoofrequent ratelimittriggered endpointrpmexceeded endpointtpmexceeded requestratelimitexceeded
     provisionedthroughputexceeded limitrequests limitburstrate enginerequestlimit apiratelimitexceeded
     upstreamratelimit userweeklyratelimited userglobalratelimited usermodelratelimited agentmodelratelimited qpslimit
     limitexceeded requestthrottled throughputlimit toomanyconcurrentrequests 1015`,
  ],
  [
    "overloaded",
    `overloaded serverisoverloaded overload slowdownoverloaded modelcapacityexhausted modelcapacityexceeded nocapacity
     capacityexceeded servicetiercapacityexceeded modelnotready modeloverloaded engineoverloaded serveroverloaded
     serverbusy modelbusy systembusy insufficientcapacity serviceoverloaded upstreamoverloaded modelloading
     serviceunavailable modelunavailable systemoverloaded backendoverloaded highdemand outofcapacity
     toobusy nodeploymentsavailable noavailablechannel authunavailable modelservicebusy resourceunavailable`,
  ],
  [
    "timeout",
    `timeout requesttimeout gatewaytimeout deadlineexceeded modeltimeout apiconnectiontimeout apitimeout upstreamtimeout
     responsetimeout underrconnecttimeout underrheaderstimeout underrbodytimeout
     etimedout esockettimedout errsockettimeout connectiontimeout inferencetimeout readtimeout connecttimeout
     errtimedout errconnectiontimedout headerstimeout bodytimeout timedout modelinvocationtimeout streamtimeout
     serveroverloadedtimeout generationtimeout aitimeout sockettimeout httpconnecttimeout httptimeout pooltimeout
     writetimeout clienttimeout`,
  ],
  [
    "stream_broken",
    `streamdisconnected streambroken incompleteread incompletestream modelstreamerror streaminterrupted unexpectedendofstream
     streamclosed streamread streamreaderror chunkedencoding emptyresponse emptyresponsebody noContentGenerated
     transferencoding contentlength clientpayload incompletechunkedread stream streamterminated prematureclose
     errstreamprematureclose jsondecode missingfield mismatchedinput unrecognizedproperty jsonmapping serialization
     errincompletechunkedencoding errcontentlengthmismatch`,
  ],
  [
    "network",
    `econnreset econnrefused econnaborted epipe eaiagain enotfound enetunreach ehostunreach enetdown enetreset ehostdown
     eaddrnotavail enetwork eproto eaifail enodata econn errnetwork underrsocket underrclosed underrdestroyed
     underrinfo underr errhttp2stream errhttp2session errhttp2goawaysession
     errhttp2invalidsession errhttp2streamcancel errhttp2protocol errconnectionreset errconnectionrefused
     errconnectionclosed errinternetdisconnected errnetworkchanged errnamenotresolved errproxyconnectionfailed
     erremptyresponse errtunnelconnectionfailed errsocketclosed errquicprotocol apiconnection connection connectionreset
     connectionrefused nghttp2refusedstream nghttp2internal nghttp2cancel nghttp2enhanceyourcalm nghttp2protocol
     http2streamreset http2refusedstream http2enhanceyourcalm zlib errssldecryptionfailedorbadrecordmac
     errssltlsv1alertinternal errssltlsv1unexpectedmessage errsslsslv3alertunexpectedmessage errssltlsalertbadrecordmac
     errsslssl errsslwrongversionnumber socket fetch failedtoopensocket connectionclosed remoteprotocol
     protocol zdata zbuf underrreqcontentlengthmismatch
     underrrescontentlengthmismatch underrresponseexceededmaxsize errsocketconnectiontimeout connect read write
     clientconnector clientos serverdisconnected remotedisconnected newconnection maxretry unknownhost sslhandshake ssl proxy
     noroutetohost clientconnection connectionrefusederror apiconnectionerror`,
  ],
  [
    // A bad certificate stays bad: the way is broken, but repeating does not mend it.
    "network",
    `certhasexpired certnotyetvalid depthzeroselfsignedcert selfsignedcertinchain unabletoverifyleafsignature
     unabletogetissuercert unabletogetissuercertlocally errtlscertaltnameinvalid certuntrusted certrevoked
     certsignaturefailure errcertauthorityinvalid errcertcommonnameinvalid errcertdateinvalid certrejected
     hostnamemismatch errtlscertsignaturealgorithmunsupported unabletodecryptcertsignature crlhasexpired`,
    false,
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
     unexpectedkeywordargument extraforbidden invalidfile unimplemented emptyimagefile errinvalidurl`,
  ],
  // The model's own slip: another try may well go right.
  ["invalid_content", "malformedfunctioncall unexpectedtoolcall malformedresponse"],
  ["aborted", "abort aborterr apiuserabort errcanceled underraborted useraborted"],
];

/** The AI SDK's error for a text that is no JSON. Behind a failing status it says nothing: error pages are no JSON either. */
const NOT_JSON = "aijsonparse";

/** Codes that repeat what a status says: used where there is none. */
const GENERIC: readonly Row[] = [
  ["bad_request", "invalidrequest badrequest requestinvalid invalidjson clienterror userinput invalidinput invalid"],
  [
    "server",
    `server api internal internalserver internalfailure unknowndataloss badgateway
     upstream provider serviceerror internalsystem
     backenderror generation inferenceerror internalserviceerror doRequestFailed badresponsestatuscode
     aiprovider upstreamfailed requestfailed unknownerror`,
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
    const [kind, codes, retryable] = row;
    const meaning: CodeMeaning = {
      ...{ kind, generic: GENERIC.includes(row), ofGateway: OF_GATEWAY.includes(row) },
      ...(retryable !== undefined && { retryable }),
    };
    for (const code of codes.split(/\s+/)) table.set(normaliseCode(code), meaning);
  }
  // What is left of a bare "Error" says nothing.
  table.delete("");
  return table;
}

const TABLE = build();
