import type { FailureKind } from "../model/failure.ts";
import { wording } from "./wording.ts";

/**
 * Codes and classes that no table lists, by the words that they are made of: in lower case, without separators, with their
 * "error" or "exception". In this order: the more telling first.
 */
const BY_STEM: readonly (readonly [stem: RegExp, kind: FailureKind, retryable?: boolean])[] = [
  // A bad certificate stays bad: the way is broken, but repeating does not mend it.
  [/cert(?!ain)|leafsignature|hostnamemismatch|^crl/, "network", false],
  // Node's HTTP parser has a code for each way in which an answer can be garbled (`HPE_INVALID_STATUS`).
  [/^hpe/, "network"],
  [/user(?:cancell?ed|abort)|keyboardinterrupt|operationcancell?ed/, "aborted"],
  [
    wording(
      /context(?:length|window|size|limit)?\w{0,16}(?:exceed|overflow|reach|error|too|full)|exceed\w{0,8}context/,
      /(?:prompt|input|conversation|history|messages?|inputtokens?|prompttokens?|maxtokens?|tokenlimit)(?:length)?(?:too(?:long|large)|exceed|overflow)|^tokenlimit(?:error|reached)|tokenslimitreached/,
    ),
    "context_overflow",
  ],
  [
    wording(
      /contentfilter|moderat|contentpolicy|policyviolat|guardrail\w{0,12}(?:viol|interven|block|trigger|fail)|safety(?:violat|block|fail|error|check)/,
      /(?:unsafe|harmful|sensitive|illegal|prohibited|inappropriate|blocked)(?:content|text|image|prompt|response|output|input)|(?:text|image|content|prompt|response|output|input)(?:was|is)?(?:illegal|blocked|unsafe|flagged|sensitive)/,
    ),
    "content_filter",
  ],
  [
    wording(
      /(?:quota|credit|balance|billing|budget|spend|fund)\w{0,12}(?:exceed|insufficient|exhaust|limit|low|empty|reached|notactive|notenough|used|required|expired)/,
      /(?:insufficient|exceeded|exhausted|outof|no|notenough)\w{0,8}(?:quota|credit|balance|fund)|overdue|arrear|paymentrequired/,
      /(?:plan|daily|weekly|monthly|usage|freetier|free|trial|subscription|resourcepack)(?:plan|quota|token|request|usage|pricing)?(?:limit|exhaust|expired|required|exceed)/,
    ),
    "usage_limit",
  ],
  [
    wording(
      /(?:expired|invalid|missing|incorrect|unknown|bad|wrong|no|default|partial|illegal)\w{0,8}(?:apikey|userkey|accesskey|token(?:error|exception)?$|credential|accesscode)/,
      /(?:apikey|userkey|accesskey|credentials?|signature|(?:access|oauth|auth|refresh|sso|bearer|id)token)\w{0,6}(?:expire|invalid|missing|notfound|notset|revoked|unavailable|load|required|error)|unauthori[sz]ed(?!oper)|unauthenticated/,
      /(?:not|re|no|invalid|missing)auth(?:enticat|oriz|$|error|required|header)|authenticat(?:ion|e)?(?:error|exception|fail|required|$)|notloggedin|login(?:required|failed|error|expired)|tokenrefresh|tokennotinit/,
    ),
    "auth",
  ],
  [
    wording(
      /(?:permission|access|operation|policy)denied|forbidden(?:error|exception)?$|notentitled|gatedrepo|unauthorizedoper/,
      /(?:region|country|location|territory)\w{0,6}(?:notsupport|notallow|blocked|restrict|unsupport)|unsupported(?:region|country|location|territory)/,
      /(?:user|account|org(?:ani[sz]ation)?|project|feature|extension|featureflag|model)s?(?:is)?(?:banned|disabled|suspended|restricted|notverified|notenabled|notallowed|blocked|notauthorized)/,
    ),
    "permission",
  ],
  [
    /ratelimit(?!check|usage|remaining)|toomanyreq|throttl|(?:rpm|tpm|qps|rps|perminute|persecond)(?:limit|exceed)|concurren\w{0,12}(?:limit|exceed|reach)|maxconcurren/,
    "rate_limit",
  ],
  [/overload|capacityexce|nocapacity|toobusy|highload|serverbusy|nohealthy/, "overloaded"],
  [/timeout|timedout|deadlineexceeded|taskcancell?ed/, "timeout"],
  [
    wording(
      /(?:model|deployment|engine|route|cluster|endpoint|resource|provider|channel|repository|workspace|llm|application)s?(?:id|name)?(?:notfound|notexist|doesnotexist|deprecated|retired|decommissioned|notdeployed|notregistered)/,
      /nosuch(?:model|deployment|provider|engine)|(?:unknown|nonexistent|unsupported)(?:model|engine|deployment|provider)(?:error|exception)?$|model(?:currently)?notsupport|badmodelname|noregisteredprovider/,
    ),
    "not_found",
  ],
  [
    /outputpars|(?:toolcall|toolinput|toolargument|functioncall|functionargument)s?pars|malformed(?:function|tool)|invalidtool(?:call|input|argument)|nosuchtool|toolcallrepair|noobjectgenerated|unexpectedmodelbehavior/,
    "invalid_content",
  ],
  [
    wording(
      /(?:empty|incomplete|truncated|malformed|unexpected|unserializable|unparse?able|invalid|missing)(?:stream|chunk|api|model|llm|server)?(?:response|chunk|completion|stream|answer|reply|generation)|emptymessage|incompletemessage/,
      /chunklength|deserializ|jsonexception|jsonpars|jsonprocessing|jsonsyntax|(?:response|chunk|stream)(?:parse|parsing|decod|validation)|(?:stream|event|sse)chunk(?:error|exception)|no(?:text|output|content)generated|prematureclose|malformedjson|stream(?:ended|interrupted|closed|aborted|cut)|nochoices|decodingerror|^sseerror/,
    ),
    "stream_broken",
  ],
  [
    wording(
      /econnre|connection(?:reset|refused|aborted|closed|check|shutdown|lost|dropped)|(?:invoke|endpoint|proxy|server|remote|http|upstream)connect(?:ion)?(?:error|exception)|^network(?:error)?$|networkerror|socketerror|unknownhost|brokenpipe|(?:host|port)(?:unreachable|notfound)/,
      // Of runtimes, undici, browsers and HTTP/2.
      /^(?:e(?:conn|net|host|addrnot)|underr(?:$|socket|closed|destroyed|info|res\w{0,5}(?:con|exc))|err(?:ssl|connection|internet|network|name|proxy|tunnel|quic|socket)|(?:err|ng)?http2(?:stream|refused|internal|cancel|enhance|protocol|goaway|invalids))/,
      /nameresolution|gaierror|^(?:client)?connector\w{0,4}error|clientconnector|resourceaccess|httprequestexception|transporterror|websocket(?:exception|closed)|(?:local|remote)protocolerror|(?:dns|tls|ssl)error/,
    ),
    "network",
  ],
  [
    /(?:server|service|model|system|engine|worker|upstream|backend|provider)s?(?:is|temporarily)?(?:busy|unavailable|notready|loading)|queuefull|temporarilyunavailable|noavailable(?:provider|channel|account|node|worker|upstream|model)/,
    "overloaded",
  ],
  [
    wording(
      /^(?:ai)?(?:invalid|unsupported|missing|unknown|illegal|duplicate|malformed)(?:request|param|arg|field|value|type|format|schema|role|message|input|image|tool|content|body|header|property|option|file|payload|prompt|reference|data|modality|functionality|api|\w{0,12}args)/,
      /badrequest(?:error|exception)?$|invalidrequest(?:error|exception)?$|validation(?:error|exception)$|notimplemented|messageconver|messagecoer|nontransient|downloaderror/,
    ),
    "bad_request",
  ],
  [
    /(?:server|engine|system|provider|upstream|inference|backend|internal|biz|serving)(?:server)?(?:error|exception)$|internal(?:server)?error|upstream\w{0,8}failed|(?:worker|runner|engine)(?:crash|terminat|died)|transientai/,
    "server",
  ],
];
/** Some call a lack of rights so as well: a 403 knows better. */
const VAGUE_AUTH = /^\w{0,16}auth(?:orization)?(?:error|exception|fail\w{0,4}|required)?$/;
const ANY_STEM = wording(...BY_STEM.map(([stem]) => stem));
/** Say no more than a 400 or a 500 would ("UnsupportedContentPart", "ModelError"). */
const NO_MORE_THAN_STATUS: ReadonlySet<FailureKind> = new Set<FailureKind>(["bad_request", "server"]);

interface Guess {
  readonly kind: FailureKind;
  readonly retryable?: boolean;
  readonly generic: boolean;
}

/** What the words of an unknown code come to, and whether a status would say as much. */
export function guessKind(code: string): Guess | undefined {
  if (!ANY_STEM.test(code)) return VAGUE_AUTH.test(code) ? { kind: "auth", generic: true } : undefined;
  const found = BY_STEM.find(([stem]) => stem.test(code));
  if (found === undefined) return undefined;
  const [, kind, retryable] = found;
  return { kind, generic: NO_MORE_THAN_STATUS.has(kind), ...(retryable !== undefined && { retryable }) };
}
