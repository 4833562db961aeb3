import type { FailureKind } from "../model/failure.ts";
import { NOT_JSON } from "./not-json.ts";
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
  pattern: wording(/(?:^|\n)request was aborted\.(?:\n|$)/, /interrupted by user|已停止|停止按钮/),
};

/** What runtimes write in an `AbortError`. Used for a bare text only, which has no name to go by. */
const ABORT: TextRule = {
  name: "aborted",
  kind: "aborted",
  pattern: wording(
    /^(?:the |this )?(?:request|operation|signal|generation) (?:was |is |has been )?(?:aborted|cancell?ed)(?: without reason| by (?:the )?user)?[.!]?$/,
    /^the user aborted a request\.?$|^cancell?ed$/,
  ),
};

const CERTIFICATE: TextRule = {
  name: "certificate",
  kind: "network",
  retryable: false,
  pattern: wording(
    /self[- ]signed certificate|certificate (?:has expired|verify failed|is not trusted)/,
    /unable to (?:verify the first|get local issuer) certificate|hostname\/ip does not match/,
  ),
};

/** The way to the endpoint broke. These wordings also mark a TypeError as the network's and not the program's. */
export const NETWORK: TextRule = {
  name: "network",
  kind: "network",
  pattern: wording(
    /fetch failed|failed to fetch|error reading a body|client error \(connect\)|error (?:sending|making) request/,
    /network ?error|network (?:connection|request)[^\n]{0,20}(?:lost|failed|error)|load failed|^terminated/,
    /: terminated|\(terminated\)|socket hang up|other side closed|premature close/,
    // Node's words for a response whose sender has left.
    /^(?:error: )?aborted$|(?:aborted|cancell?ed) (?:by|at) (?:the |an? )?(?:\w{1,12} )?(?:upstream|server|gateway|proxy|provider|peer|remote|backend|host)\b/,
    /upstream connect|reset before headers|reset reason|broken pipe|no route to host|name resolution/,
    /dns (?:lookup|error|resolution)|getaddrinfo|host is unreachable|network is unreachable/,
    /network[^\n]{0,12}(?:changed|down)|unable to connect|could ?n(?:o|')t connect|cannot connect/,
    /failed to connect|connect(?:ion)? (?:error|attempt)|socket[^\n]{0,24}(?:closed|disconnected|reset)/,
    /(?:connection|tcp|tls|http2?|stream)[^\n]{0,24}(?:refused|reset|closed|lost|aborted|dropped|interrupted|terminated|broken|failure)/,
    /closed the connection|server disconnected|decompression failed|incorrect header check|zlib|tls handshake/,
    /ssl (?:error|routines)|econn|epipe\b|goaway|rst_stream|nghttp2|err_ssl|bad_record_mac|网络(?:错误|异常|连接)/,
    /连接(?:失败|被拒绝|重置|中断)/,
  ),
};

const STREAM: TextRule = {
  name: "stream-broken",
  kind: "stream_broken",
  pattern: wording(
    /(?:stream|response|websocket)[^\n]{0,24}(?:ended|closed|disconnected|finished|terminated|completed|cut off)[^\n]{0,24}(?:before|without|unexpectedly|prematurely|early)/,
    /(?:before|without|missing|no) (?:a |the |any )?(?:message_st(?:art|op)|response\.completed|\[done\]|finish[_ ]?reason|terminal (?:event|marker)|completion event|final (?:chunk|event))/,
    /stream (?:was )?(?:interrupted|disconnected|broken)|incomplete (?:chunked read|read|response|stream|json)/,
    /payload is not completed|not enough data to satisfy|unexpected end of (?:stream|json|file|input|data)/,
    /\beof\b|with no (?:text|content|output)|(?:empty|blank) (?:response|stream|completion|reply)/,
    /no (?:content|output|response|choices|candidates) (?:was |were )?(?:generated|returned|received|in)/,
    /without (?:any )?(?:content|final output)|error in (?:the )?input stream|stream[_ -]?read[_ -]?error/,
    /invalid (?:json|sse)[^\n]{0,16}(?:chunk|stream|event)|ended without sending any chunks/,
    NOT_JSON,
  ),
};

const TIMEOUT: TextRule = {
  name: "timeout",
  kind: "timeout",
  pattern: wording(
    /time[ds]?[ -]?out|deadline (?:exceeded|expired)|stalled/,
    /no (?:chunks?|data|response) (?:was |were )?received (?:for|within|in)|took too long|超时/,
  ),
};

const RATE: TextRule = {
  name: "rate-limit",
  kind: "rate_limit",
  pattern: wording(
    /rate[ _-]?limit|too many (?:requests|tokens|concurrent|calls)|usage limit|quota exceeded/,
    /quota[^\n]{0,20}(?:exceed|exhaust|reached)/,
    /(?:exceed|exhaust|reach|hit)\w{0,3} (?:your|the|its|this|current)[^\n]{0,24}\b(?:quota|(?:rate|request|usage|daily|token) limit)/,
    /(?:exceed|reach|hit)\w{0,3} your[^\n]{0,24} limit|request rate|throttl|resource (?:has been )?exhausted/,
    /requests? per (?:min|sec)|tokens? per (?:min|sec|day)|slow down|concurren\w{0,3} (?:requests? )?limit/,
    /limit (?:reached|exceeded|will reset)|请求(?:过于|太|过)(?:频繁|多|快)|频率|频繁|速率|限流|并发|达到上限|已达上限|使用上限|限额/,
  ),
};

const OVERLOADED: TextRule = {
  name: "overloaded",
  kind: "overloaded",
  pattern: wording(
    /overload|service[^\n]{0,20}unavailable|temporarily (?:unavailable|unable|out of)/,
    /(?:at|over|out of|no|insufficient|exceeds?)[^\n]{0,12}capacity|capacity exceeded/,
    /high (?:demand|load|traffic)|server (?:is )?(?:too )?busy/,
    /(?:model|system|engine|service) (?:is )?(?:currently )?busy|pending requests exceeded|queue (?:is )?full/,
    /(?:model|server|inference)[^\n]{0,24}(?:loading|starting|warming|unavailable|not ready)/,
    /no (?:healthy upstream|available (?:model )?(?:provider|server|worker|accounts?|channel))/,
    /no (?:instances?|workers?|deployments?) available|under maintenance|try again later|负载|繁忙|无可用渠道|饱和/,
    /稍后(?:再试|重试)/,
  ),
};

const SERVER: TextRule = {
  name: "server",
  kind: "server",
  pattern: wording(
    /server error|internal error|internal server|bad gateway|gateway error/,
    /upstream (?:error|request failed|service)|unknown error(?! occurred)|provider returned error/,
    /provider (?:error|returned)|server had an error|unexpected error/,
    /error (?:occurred )?(?:while|during|when) (?:processing|generat)|error processing your request/,
    /retry your request|retry delay|please (?:try again|retry)|something went wrong|cuda error|out of memory/,
    /web server is|invalid response from upstream|backend error|streaming error|has no parts/,
    /finish_reason:? error|error finish_reason|服务器(?:错误|异常|内部)|内部错误|系统(?:错误|异常)|上游/,
  ),
};

const SECRET = wording(
  /api[ _-]?key|(?:access|api|user|auth|bearer|security|refresh|oauth)[ _-]token|credentials?|authentication|oauth/,
  /authorization|signature|subscription key/,
);
const BAD_STATE = /invalid|incorrect|not valid|missing|expired|revoked|does not match|disabled/;

const AUTH: TextRule = {
  name: "auth",
  kind: "auth",
  pattern: wording(
    near(/invalid|incorrect|missing|wrong|expired|no|bad|malformed|revoked|disabled|unknown/, SECRET, 16),
    near(SECRET, wording(BAD_STATE, /required|not (?:found|provided|set|included|recognized)/), 40),
    /unauthori[sz]ed|unauthenticated|authentication (?:fail|required|error|is required)/,
    /not (?:authenticated|logged in)|login required|(?:please |need to )(?:re-?authenticate|log ?in|sign in)/,
    /unable to (?:locate|load) credentials|user not found|(?:provide|set|supply)[^\n]{0,24}api[ _-]?key/,
    /api_key client option|令牌|密钥|未授权|认证失败|鉴权|身份验证|无效的(?:token|key|api)/,
  ),
};

const PERMISSION: TextRule = {
  name: "permission",
  kind: "permission",
  pattern: wording(
    /permission|forbidden|access (?:is |was )?(?:denied|restricted|not (?:allowed|granted|configured))/,
    /not (?:allowed|authorized|permitted|entitled|eligible) to/,
    /(?:do(?:es)?n'?t|do(?:es)? not) have (?:access|permission)/,
    /not supported (?:when|for) (?:using|your)[^\n]{0,40}account/,
    /(?:country|region|location|territory)[^\n]{0,30}not (?:supported|available|allowed)/,
    /account[^\n]{0,30}(?:suspended|disabled|deactivated|banned|terminated|blocked)|has not been used in project/,
    /not (?:included in|available (?:on|in|for|with)) your[^\n]{0,20}(?:plan|tier|subscription|account)/,
    /verify your (?:account|organization|identity)|must be verified|organization has been (?:disabled|restricted)/,
    /无权|没有权限|权限不足|禁止访问/,
  ),
};

const NOT_FOUND: TextRule = {
  name: "not-found",
  kind: "not_found",
  pattern: wording(
    /(?:model|deployment|endpoint|resource|engine|page|route|url|path|provider)\b[^\n]{0,80}(?:not found|does ?n[o']t exist|does not exist|not exist|no longer (?:available|supported)|(?:been )?(?:deprecated|decommissioned|shut ?down|retired|sunset)|could not be found)/,
    /(?:unknown|no such|invalid|unsupported|unrecognized) model/,
    /no (?:endpoints?|allowed providers|models?) (?:found|available|are available|match)|^(?:404 )?not found/,
    /model_not_found|is not a valid model|try pulling it|模型[^\n]{0,12}(?:不存在|未找到|不支持|已下线)/,
  ),
};

const BAD_REQUEST: TextRule = {
  name: "bad-request",
  kind: "bad_request",
  pattern: wording(
    /bad request/,
    /invalid[ _](?:request|argument|parameter|params|value|format|input|type|schema|json|message|role|image|url|field|body|tool)/,
    /(?:unsupported|unrecognized|unknown|missing|required)[^\n]{0,16}(?:parameter|argument|field|property|value|header|role)/,
    /validation error|must (?:be|have|contain|not|match|start|end|alternate)/,
    /is (?:not supported|required|not allowed|not valid)|not supported|does not support/,
    /(?:cannot|could not) (?:be|have|parse|process|use|exceed)|failed to parse|malformed/,
    /unexpected (?:field|keyword|argument|role)|extra inputs|maximum tokens|output token maximum|max_tokens|unprocessable/,
    /json\.exception|参数(?:错误|无效|不合法)|请求正在进行中|请求参数|格式错误/,
  ),
};

/** In this order: the more telling wording first. */
const TEXT_RULES: readonly TextRule[] = [
  STOPPED,
  CERTIFICATE,
  RATE,
  TIMEOUT,
  STREAM,
  AUTH,
  PERMISSION,
  OVERLOADED,
  NETWORK,
  NOT_FOUND,
  SERVER,
  BAD_REQUEST,
];
const BARE_TEXT_RULES: readonly TextRule[] = [ABORT, ...TEXT_RULES];

/** The first wording that a text (in lower case) has. `isBare`: it stands alone, and not in an error with a name. */
export function matchText(text: string, isBare: boolean): TextRule | undefined {
  return (isBare ? BARE_TEXT_RULES : TEXT_RULES).find(({ pattern }) => pattern.test(text));
}
