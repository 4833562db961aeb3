import type { FailureKind } from "../model/failure.ts";
import { BROKEN_ANSWER } from "./broken-answer.ts";
import { matchConcept, SAYS_SERVER, SAYS_WRONG } from "./concepts.ts";
import { CRASH } from "./crash.ts";
import { CERTIFICATE_WORDS, NETWORK_WORDS, NO_ANSWER_WORDS } from "./network-words.ts";
import { NO_SUCH, NOT_THERE_OR_NOT_YOURS } from "./no-such.ts";
import { NOT_ALLOWED } from "./not-allowed.ts";
import { SAID } from "./other-languages.ts";
import { isOwnCrash } from "./own-crash.ts";
import { BAD_ADDRESS, FEATURE_WORDS, UNREAD_REQUEST_WORDS, YOURS_WORDS } from "./request-words.ts";
import { near, wording } from "./wording.ts";

/** What a wording means where neither a status nor a code says so. */
interface TextRule {
  readonly name: string;
  readonly kind: FailureKind;
  /** Matched against the text in lower case. Bounded gaps only: a pattern must stay linear (E7). */
  readonly pattern: RegExp;
  /** Default: as the kind usually is. */
  readonly retryable?: boolean;
}

/**
 * A stop by hand: SillyTavern's texts, and that of the OpenAI and Anthropic SDKs, whose `APIUserAbortError` has no name. No other
 * text of an error makes it an abort: upstreams and proxies abort too, and that is worth a retry.
 */
const STOPPED: TextRule = {
  name: "aborted",
  kind: "aborted",
  pattern: wording(
    /(?:^|\n)(?:\w{0,24}error: )?request was aborted\.(?:\n|$| at )/,
    /(?:interrupted|stopped|cancell?ed|aborted|dismissed|halted) by (?:the |an? )?user\b|^user (?:cancell?ed|aborted|stopped|interrupted)\W{0,2}$|user (?:cancell?ed|aborted|stopped|interrupted) (?:the |this )?(?:request|generation|operation|response)|cancelled on client|已停止|停止按钮|用户(?:已)?(?:取消|中止|停止|终止)/,
  ),
};

/** What runtimes write in an `AbortError`. Used for a bare text only, which has no name to go by. */
const ABORT: TextRule = {
  name: "aborted",
  kind: "aborted",
  pattern: wording(
    /^(?:[\w. ]{0,40}err(?:or)?\W{1,4})?"?(?:\w{0,24}(?:error|exception): )?(?:the |this )?(?:request|operation|signal|generation|context) (?:was |is |has been )?(?:aborted|cancell?ed)(?: without reason| aborted)?["'.!]{0,2}$/,
    // The end of Go's chain of causes.
    /^the user aborted a request\.?$|: (?:request cancell?ed, )?context cancell?ed\W{0,3}$|^(?:\w{0,24}(?:error|exception): )?cancell?ed\W{0,8}$/,
  ),
};

export const CERTIFICATE: TextRule = {
  name: "certificate",
  kind: "network",
  retryable: false,
  pattern: CERTIFICATE_WORDS,
};

/** These wordings also mark a TypeError as the network's and not the program's. */
export const NETWORK: TextRule = { name: "network", kind: "network", pattern: NETWORK_WORDS };

const NO_ANSWER: TextRule = { ...NETWORK, pattern: NO_ANSWER_WORDS };

const STREAM: TextRule = { name: "stream-broken", kind: "stream_broken", pattern: BROKEN_ANSWER };

const UNREAD_REQUEST: TextRule = {
  name: "bad-request",
  kind: "bad_request",
  pattern: UNREAD_REQUEST_WORDS,
};

const TIMEOUT: TextRule = {
  name: "timeout",
  kind: "timeout",
  pattern: wording(
    /time[ds]?[ -]?out|winerror 10060|(?:os error|errno) (?:60|110)\b|execution expired|deadline[^\n]{0,16} (?:exceeded|expired|passed|reached|elapsed)|\bstall|idle for \d/,
    /no (?:new )?(?:chunks?|data|response|events?|bytes|tokens|activity)(?: (?:was |were )?received)? (?:for|within|in)\b|took too long|gave up (?:waiting|after)|(?:max(?:imum)?|exceed\w{0,3}) wait(?:ing)? time|took longer than \d|gave no (?:answer|reply|response) (?:in|within|for)|within the (?:allotted|allowed|given|expected|configured) time|\d (?:second|minute)s? limit\b|task was cancell?ed/,
    SAID.timeout,
  ),
};

/** "The response was interrupted due to a server error": the cause is named, and what came of it. */
const BLAMED: TextRule = {
  name: "blamed",
  kind: "server",
  pattern:
    /(?:due to|because of|caused by|(?:ended|finished|closed|failed|terminated)(?: unexpectedly)? with) (?:an? |the )?(?:\w{1,12} )?(?:server|internal|upstream|provider)(?:[ -]side)? (?:\w{1,12} )?(?:error|issue|problem|failure|fault)/,
};

const RATE: TextRule = {
  name: "rate-limit",
  kind: "rate_limit",
  pattern: wording(
    /rate[ _-]?limit(?!_check|_usage)|too many (?:\w{1,12} )?(?:requests|tokens|calls|messages|attempts)|too many concurrent|usage limit/,
    /quota[^\n]{0,20}(?:exceed|exhaust|reached)/,
    /(?:exceed|exhaust|reach|hit)\w{0,3} (?:your|the|its|this|current)[^\n]{0,24}\b(?:quota|(?:rate|request|usage|daily|token) limit)/,
    /(?:exceed|reach|hit)\w{0,3} your[^\n]{0,24} (?:limit|usage)|request rate|throttl/,
    /(?:requests?|messages?|calls?|queries) (?:per|every|each) (?:min|sec|hour)|too many (?:open |active |simultaneous )?connections|flood ?(?:control|wait)|limited to \d{1,6} (?:\w{1,12} )?(?:per|\/|an?) ?(?:sec|min|hour|s\b)|cool(?:ing)?[ -]?down|tokens? per (?:min|sec|day)|slow down|concurren\w{0,3} (?:requests? )?limit|concurren\w{0,3} (?:requests?|calls?|connections?|streams?)[^\n]{0,12}(?:reached|exceeded)|sending (?:\w{1,12} )?too (?:fast|quickly|often)|throughput (?:limit )?(?:is |was )?exceeded/,
    /\b(?:you|user|account|key)(?:'ve| have| has)? (?:reached|hit|exceeded) (?:the|your|our|a) limits?(?=[.!,;]|$|\n)|exceed\w{0,3} your (?:current )?(?:requests?|calls?)\b|limit (?:has been |was )?(?:reached|exceeded|will reset)|limiting requests|(?<!retries |retry |attempts? |tries |pool |gpus? |capacity |workers? |slots? |channels? )\bexhausted\b|max(?:imum)? (?:concurren|[rt]pm)|\b[rt]pm exceed|exceed\w{0,3} \d{1,7} (?:requests|calls|tokens|messages)|requests?\/(?:min|sec|s\b)|no deployments available for/,
    SAID.rateLimit,
  ),
};

const OVERLOADED: TextRule = {
  name: "overloaded",
  kind: "overloaded",
  pattern: wording(
    /being loaded|is (?:currently|still) loading|(?:due|owing) to (?:\w{1,12} )?(?:load|demand|traffic)\b|temporarily (?:offline|down)|waiting for (?:the )?model|scaled to zero|too much (?:traffic|load|demand)|too many (?:\w{1,12} )?(?:users|people)|\bload (?:is )?(?:\w{1,9} )?(?:too |very )?high\b|overload|service[^\n.]{0,20}unavailable|temporarily (?:unavailable|unable|out of)/,
    /(?:at|over|out of|no|insufficient|exceeds?)[^\n]{0,12}capacity|capacity exceeded/,
    /(?:high|heavy) (?:demand|load|traffic)|\b(?:slot|worker|node|gpu|instance|channel|upstream|backend)s?[^\n]{0,16} (?:unavailable|busy)/,
    /(?:model|server|system|engine|service) (?:is )?(?:currently |too )?busy|pending requests exceeded|queue (?:is )?full/,
    /(?:model|server|inference)[^\n]{0,24}(?:loading|starting|warming|unavailable|not ready)/,
    /no (?:healthy upstream|available (?:model )?(?:provider|server|worker|accounts?|channel))/,
    /no (?:free |idle |healthy )?(?:\w{1,12} )?(?:instances?|workers?|deployments?|accounts?|slots?|gpus?|nodes?|replicas?|backends?|servers?|machines?) (?:are |is |were )?(?:currently )?(?:available|free)|under maintenance|(?:pool|gpus?|capacity|workers?|slots?|channels?) (?:is |are )?exhausted|queue[^\n]{0,16}limit|is unable to process your request/,
    SAID.capacity,
    SAID.unavailable,
  ),
};

const SERVER: TextRule = {
  name: "server",
  kind: "server",
  pattern: wording(
    /server error|internal (?:\w{1,12} )?(?:error|failure|fault)|bad gateway|gateway error/,
    /upstream (?:error|service)|\b(?:server|upstream|provider|backend|endpoint|gateway|engine|cluster|service|system|api)s? (?:has |have |is |are )?(?:returned|replied with|responded with|reported|encountered|experienc(?:ed|ing)|threw|hit|having) (?:an? |the |some )?(?:\w{1,12} )?(?:error|issue|problem|failure|exception|condition|difficult)/,
    /provider (?:api |request )?error|provider returned|(?:provider|upstream) (?:\w{1,12} )?request (?:has )?failed/,
    /error (?:occurred )?(?:while|during|when|in) (?:processing (?:\w{1,12} ){0,2}(?:request|prompt|query|completion|message))|error processing (?:your request|stream)/,
    /retry your request(?! with\b)|retry delay|(?:please |and |[.!,] )(?:try again(?! (?:later|with|using)\b)|retry)\b|please try [^.\n]{1,40} again\b|try once more|server-side (?:error|exception|issue|fault)|(?:inference|model|api|completion) (?:endpoint|server|backend|service) (?:has )?failed|exit status (?:0x|\d)|having trouble (?:process|complet|answer|handl)|out of memory/,
    /web server is|backend error|streaming error|has no parts/,
    /failed to (?:create|start|open)[^\n]{0,12}(?:stream|request)|engine ?(?:is |has )?(?:dead|died)|\b(?:server|upstream|provider|backend|api|service) failed to (?:generate|process|complete|handle|respond|return|produce)|prediction failed|(?:generation|inference) failed|upstream (?:\w{1,12} )?fail|error (?:was )?encountered while running|not responding|finish_reason:? error/,
    CRASH,
    SAID.server,
    SAID.again,
  ),
};

/** "signature" is not among them: a thinking block has one too. */
const SECRET = wording(
  /api[ _-]?key|(?:access|api|user|auth|bearer|security|refresh|oauth|github|hf|session|id)[ _-]token|credentials?|authentication|oauth/,
  /authorization|subscription key|access[ _-]?key|\bak\b|secret[ _-]?key|\bjwt\b|login session/,
);
const BAD_STATE =
  /invalid|incorrect|not (?:valid|correct)|missing|expired|revoked|does not match|disabled|malformed|wrong/;

const AUTH: TextRule = {
  name: "auth",
  kind: "auth",
  pattern: wording(
    near(/invalid|incorrect|missing|wrong|expired|no|bad|malformed|revoked|disabled|unknown/, SECRET, 16),
    near(
      SECRET,
      wording(
        BAD_STATE,
        /required|not (?:found|provided|set|included|recognized|configured|been set)|(?:un|not )defined/,
      ),
      40,
    ),
    /unauthori[sz]ed|unauthenticated|(?:authentication|authorization) (?:fail|error)/,
    /requires? (?:\w{1,12} )?authentication\b|\bauth(?:entication)? method\b|failed to (?:log ?in|sign ?in)|(?:log|sign)-?in failed|run [`'"]?[\w -]{0,16}\/?login\b|not (?:authenticated|logged in|signed in)|must be (?:logged|signed) in|no token (?:was )?(?:provided|found|given|sent)|log-?in (?:is )?(?:required|needed|expired)|(?:run|use|with) [`'"]?[\w /-]{1,24}(?:log ?in|auth)[`'"]|(?:refresh|access|id) token (?:was |is |has been )?(?:already|reused|used)|(?:unable|failed|could not|cannot|couldn't) (?:to )?(?:refresh|obtain|retrieve|renew|acquire|get)(?: \w{1,9}){0,2} (?:credentials?|(?:access |auth |id |oauth )?tokens?\b)|(?:please |need to )(?:(?:re-?)?authenticate|log ?in|sign in)|(?:sign|log) in again|could not be refreshed/,
    /unable to (?:locate|load) credentials|user not found|(?:provide|set|supply|enter|add|input|specify|configure|fill)[^\n]{0,24}(?:api[ _-]?key|your \w{1,12} key\b)|token refresh (?:failed|error)/,
    /api_key client option|_(?:key|token)\b[^\n]{0,12}environment variables? (?:is |are )?not (?:set|available|found|defined)|could not (?:load|find)[^\n]{0,24}credentials|signature[^\n]{0,16} (?:does not match|mismatch)|aadsts\d|session (?:has )?expired|token (?:is |has )?(?:expired|invalid|not set)|invalid_(?:grant|client|token)/,
    /(?:token|credentials?|signature) (?:could not|cannot|can't) be (?:verified|validated|decoded|refreshed|loaded|found)|(?:could not|cannot|failed to|unable to|couldn't) authenticate|\bauth error\b|(?:invalid|wrong|incorrect) (?:user ?name|login|e-?mail|password|passphrase)|(?:^|[:\n"] ?)(?:invalid|expired|illegal) token(?! (?:at|in|near|found|count|id)\b)(?! ?['"`:=])/,
    SAID.auth,
  ),
};

const PERMISSION: TextRule = {
  name: "permission",
  kind: "permission",
  pattern: wording(
    /(?<!eacces: |\[errno 13\] )permission|forbidden|^request not allowed|(?:^|\n)the request is blocked|polic(?:y|ies) (?:(?:block|restrict|disallow|forbid|prohibit)s?\b|denies|does not allow)|not (?:on|in) (?:the |an? |your )?(?:allow|white) ?-?list|accept (?:the |its |our |their )?(?:\w{1,12} )?(?:license|terms|agreement|conditions)|\b(?:your|iam|the|execution|service) role\b[^\n]{0,24}(?:lacks|missing|does not|doesn't)|access (?:is |was |has been )?(?:denied|terminated|suspended|revoked|restricted|not (?:allowed|granted|configured))/,
    NOT_ALLOWED,
    /not (?:allowed|authorized|permitted|entitled) to/,
    /(?:do(?:es)?n'?t|do(?:es)? not) have (?:access|permission)/,
    /policy enablement|(?:enable|allow)\w{0,2} (?:by|in|under) (?:your |the |an? )?(?:\w{1,16} )?(?:admin|polic)|not supported (?:when|for) (?:using|your)[^\n]{0,40}account|not available for (?:this |your )?(?:integrator|account|user|organi[sz]ation|client)|operation (?:is )?not (?:allowed|permitted)/,
    /(?:country|region|location|territory)[^\n]{0,30}not (?:supported|available|allowed)/,
    /account[^\n]{0,30}(?:suspended|disabled|deactivated|banned|terminated|blocked)|has not been used in project/,
    /not (?:included in|available (?:on|in|for|with)) your[^\n]{0,20}(?:plan|tier|subscription|account)/,
    /not available in your (?:region|country|location)|you have been blocked|verify your (?:account|organization|identity)|must be verified|blocked by (?:your |the |an? )?(?:admin|organi|company|cloudflare|waf|[^\n]{0,12}firewall)|(?:do not|don't|does not|doesn't) have an? (?:\w{1,12} ){0,2}(?:licen[sc]e|seat)|unsupported (?:region|country|location|territory)|^just a moment|only (?:available )?(?:for|to) (?:verified|approved|enterprise|selected)|enable javascript and cookies|organization has been (?:disabled|restricted)/,
    SAID.permission,
  ),
};

const NOT_FOUND: TextRule = { name: "not-found", kind: "not_found", pattern: NO_SUCH };

/** A plain page where JSON was due, quoted by whoever could not read it. */
const NO_PAGE: TextRule = { ...NOT_FOUND, pattern: /(?:: |["'(])(?:404 )?(?:file|page) not found\b/ };

/** "… does not exist or you do not have access to it". */
const NO_MODEL: TextRule = {
  ...NOT_FOUND,
  pattern: wording(
    /\bmodel\b[^\n]{0,80}(?:does not exist|not found)|\bonly [^\n]{0,400}allowed now\b/,
    NOT_THERE_OR_NOT_YOURS,
  ),
};

const BAD_REQUEST: TextRule = {
  name: "bad-request",
  kind: "bad_request",
  pattern: wording(
    /bad request|unimplemented|['"]loc['"]: ?[[(] ?['"]body|(?:improperly|badly|ill)[ -]?form(?:ed|atted)|(?:parameter|argument|input|request)s? (?:check|validation|verification) (?:failed|error)|\brange (?:is|of|should)\b/,
    /invalid[ _](?:request|argument|parameter|params|value|format|input|type|schema|json|message|role|image|url|field|body|tool)/,
    /(?:unsupported|unrecognized|unknown|missing|required)[^\n]{0,16}(?:parameter|argument|field|property|value|header|role)/,
    /\bwrong (?:\w{1,12} )?(?:parameter|argument|type|format|value|role|order|number)|tool (?:results?|calls?) without|invalid `|\b(?:schema|payload|format) is invalid|validation error|must (?:be|have|contain|not|match|start|end|alternate)/,
    /is (?:required|not (?:allowed|valid))|not supported|does not support/,
    /(?:cannot|could not) (?:be(?! (?:completed|fulfilled|reached|established))|have|parse|process|use|exceed)|failed to parse|malformed/,
    /unexpected (?:field|keyword|argument|role)|extra inputs|maximum tokens|output token maximum|max_tokens|unprocessable/,
    /json\.exception|\bimage\b[^\n]{0,60}(?:exceeds?|too (?:large|small))|not provided\b|max(?:imum)? number of|field required|invalid [\w ]{0,24}header/,
    /(?:more than|at most|up to|maximum of|no more than) \d{1,6} (?:\w{1,12} )?(?:tools?|functions?|images?|messages?|files?|stop|documents?|items?|properties)|too many (?:tools|functions|images|files|stop|properties)/,
    BAD_ADDRESS,
    /url is missing|not a valid url|unexpected char 0x|non iso-8859-1|invalid uri\b|into the target type|unknown variant|tool call validation failed|failed_generation|\bjinja\b|(?:chat|prompt) template/,
    /no (?:\w{1,12} ){1,2}(?:selected|specified|supplied|given)\b|may not (?:be|include|contain)|(?:has|have|needs?) to be (?:defined|set|specified|provided|an? |one of)|should (?:be|have|contain|not be|match|start|end)\b|(?:does not|doesn't) match (?:the )?(?:\w{1,12} )?(?:pattern|regex|format)|pars(?:e|ing)[^\n]{0,30}(?:headers|config|settings|arguments)/,
    SAID.badRequest,
  ),
};

const FEATURE: TextRule = {
  ...BAD_REQUEST,
  pattern: FEATURE_WORDS,
};

const YOURS: TextRule = {
  ...BAD_REQUEST,
  pattern: YOURS_WORDS,
};

/** Says that it may pass, and not what it is. */
const LATER: TextRule = {
  name: "later",
  kind: "server",
  pattern: wording(/try (?:\w{1,9} )?(?:again|your request)\b|later again|retry later/, SAID.later),
};

/** The AI SDK's headline for an answer that it could not read; its cause may say more. */
const UNREAD: TextRule = { ...STREAM, pattern: /failed to process successful/ };

/** An error about an answer that could not be read. */
const GOOD_STATUS: TextRule = { ...STREAM, pattern: /\b(?:http|status)(?: code)?:? ?200\b/ };

/** The model is blamed for what it wrote, by clients, OpenAI and Azure. */
export const BAD_CONTENT =
  /(?:model|llm) (?:generated|returned|produced|wrote|emitted) (?:an? )?(?:invalid|malformed|broken) (?:json|tool|function|content|output)/;

/** What the model wrote does not fit: another try may go right. */
const CONTENT: TextRule = {
  name: "content",
  kind: "invalid_content",
  // The last one is what the parser of gpt-oss says of the model's own tokens.
  pattern: wording(
    BAD_CONTENT,
    /(?:did not|didn't) use a tool|returned (?:\d{1,6}|an? (?:different|wrong) number of) (?:lines?|items?|translations?|entries|segments?)\b|no tool (?:calls?|use) (?:was |were )?(?:found|used|made|returned)|unexpected token '?`|"```|(?:llm|model)(?:'s)? (?:output|answer|reply|result)[^\n]{0,24}(?:invalid|malformed|format|not valid|pars)|(?:invalid|malformed|could not parse|failed to parse|unparse?able) (?:the )?(?:llm|model|agent)(?:'s)? (?:output|answer|reply|tool|result)|output ?pars(?:er|ing)[ _]?(?:exception|error|fail)|failed to parse\. text:|edit (?:was|could) not (?:be )?applied|(?:search|original)(?:\/replace)?(?: block| text)?[^\n]{0,30}(?:must exactly match|did not match|not found in)|tool (?:input|call|arguments)[^\n]{0,30}(?:did not match|does not match|not valid json|malformed|could not be parsed|invalid json)|model (?:called|invoked|requested|used) an? (?:\w{1,12} )?(?:tool|function)|(?:pars|interpret|decod|deserializ|unmarshal)\w{0,4} (?:the )?(?:tool|function)[ _-]?(?:call|use|input)?s?'?s? ?(?:arguments?|parameters?|input|json)?\b|output (?:failed|did not pass) (?:\w{1,12} )?validation|invalid (?:input|arguments?) for tool|malformed (?:function|tool)[ _-]?call|invalid json in (?:the )?(?:tool|function)|hallucinated|no object generated|(?:response|output|object|answer) did not match (?:the )?(?:expected )?schema|(?:tried|attempted) to call (?:an? )?(?:unavailable|unknown|non-?existent)|unexpected tokens? (?:remaining in message|\d{1,9} while expecting)/,
  ),
};

/** In this order: the more telling wording first. */
const TEXT_RULES: readonly TextRule[] = [
  STOPPED,
  CERTIFICATE,
  RATE,
  BLAMED,
  TIMEOUT,
  NO_ANSWER,
  NO_PAGE,
  UNREAD_REQUEST,
  CONTENT,
  STREAM,
  AUTH,
  NO_MODEL,
  PERMISSION,
  OVERLOADED,
  NETWORK,
  FEATURE,
  NOT_FOUND,
  UNREAD,
];
const BARE_TEXT_RULES: readonly TextRule[] = [ABORT, ...TEXT_RULES];
/** Wordings that do not say what it is, or whose words other causes use too. */
const VAGUE_RULES: readonly TextRule[] = [YOURS, SERVER, BAD_REQUEST, LATER, SAYS_WRONG, SAYS_SERVER, GOOD_STATUS];

/** The first wording that a text (in lower case) has. `isBare`: it stands alone, and not in an error with a name. */
export function matchText(text: string, isBare: boolean): TextRule | undefined {
  const has = ({ pattern }: TextRule) => pattern.test(text);
  return (
    (isBare ? BARE_TEXT_RULES : TEXT_RULES).find(has) ??
    (isOwnCrash(text) ? undefined : (matchConcept(text) ?? VAGUE_RULES.find(has)))
  );
}
