import type { FailureKind } from "../model/failure.ts";
import { CUT, CUT_ANSWER } from "./broken-answer.ts";
import { saysFiltered } from "./content-filter.ts";
import { PROCESS_DIED } from "./crash.ts";
import { NO_ANSWER_WORDS } from "./network-words.ts";
import { NO_PATH, NO_SUCH, NOT_THERE_OR_NOT_YOURS } from "./no-such.ts";
import { NOT_ALLOWED, ONLY_FOR_OTHERS } from "./not-allowed.ts";
import { NOT_JSON } from "./not-json.ts";
import { NONE_FREE_ZH, SAID } from "./other-languages.ts";
import { saysOverflow } from "./overflow.ts";
import { readQuota, saysCapacity, saysMoney, stopBehindBadRequest, stopBehindDenial } from "./quota.ts";
import { saysPartial, saysRequestFault, saysTooLittleMemory } from "./request-fault.ts";
import { BAD_ADDRESS } from "./request-words.ts";
import { BAD_CONTENT, CERTIFICATE, NETWORK } from "./text-rules.ts";
import { type Case, type Verdict, verdict } from "./verdict.ts";
import { wording } from "./wording.ts";

/** One of these stems is in every wording that can overturn a 5xx; most messages have none, and are done with. */
const TELLING_OF_SERVER = wording(
  /token|context|prompt|input|length|size|too l|maximum|quota|credit|balance|bill|budget|spend|usage|limit|requests/,
  /pay|due|arrear|recharge|trial|afford|subscription|capacity|load|demand|busy|traffic|avail|healthy|usable|no free|pars|template|jinja/,
  /exception|support|grammar|sampler|alternate|schema|mmproj|invalid|implement|convert|partial|incomplete|required|param|argument|field|recogni|cannot|route|found|fetch|goaway|row |key|cookie|session|memory|denied|before|accounts|connect|model|auth|chunk|http|json|time|deadline|premature|read|polic|filter|moderat|flagg|blocked|safety|socket|network|dns|host|tls|ssl|terminated|abort|hang|closed|pipe|stream|empty|content|must|should|formed|space|disk|[^\s -~]/,
);
/** The same for what is known to be a limit: its own name adds nothing. */
const TELLING_OF_LIMIT = wording(
  /token|context|prompt|input|length|size|too l|maximum|quota|credit|balance|bill|budget|spend|usage|plan/,
  /limit:? \d|limit re|limit will|your|key|free|upgrade|subscription|dai|day|week|month|hour|pay|due|capacity|avail/,
  /load|demand|busy|traffic|cost|dollar|usd|arrear|recharge|trial|afford|per[ _-]?(?:min|sec)|[rtq]p[ms]\b|partial|[^\s -~]/,
);
/** And for a 400, beyond keys, limits and filters. */
const TELLING_OF_REQUEST =
  /account|organi|user|key|block|country|region|location|territory|model|memory|load|internal|unavail|nan\b|available|timed|found|exist|route|ur[il]\b|page|path|endpoint|provider|access|allow|permit|deploy|engine|cannot|verified|connect|socket|decod|pars|response|encounter|denied|restrict|[^\s -~]/;
const TELLING: Readonly<Partial<Record<FailureKind, RegExp>>> = {
  rate_limit: TELLING_OF_LIMIT,
  server: TELLING_OF_SERVER,
  overloaded: TELLING_OF_SERVER,
  network:
    /adapter|bad port|mock |not impl|loading|avail|\burl|scheme|protocol|credential|unregistered|cert|x509|pkix|issuer|hostname|time|deadline|complete|premature|during|outstanding|stream|pars|json|expect|decod|eof|mid|unmarshal|sse|chunk|extra data|invalid char|partial|errno|error 1|error 6|from|[^\s -~]/,
};

const BAD_KEY = wording(
  /api[ _-]?key[^\n]{0,24}(?:not valid|invalid|expired|not (?:found|set|provided|configured)|incorrect|missing|required|disabled|revoked)/,
  /authorization failed|(?:missing|no) (?:api[ _-]?key|auth(?:entication)? (?:credentials?|header))/,
  /(?:invalid|incorrect|wrong|could not parse)[^\n]{0,12}(?:api[ _-]?key|subscription key|access key|authentication token)|(?:pass|provide|use|send) an? valid (?:\w{1,12} )?(?:token|api[ _-]?key)\b(?! (?:count|limit))/,
  /(?:access|oauth|bearer|security|authentication|auth|session|refresh|id) token[^\n]{0,30}(?:invalid|expired|revoked)|signature (?:has |is )?(?:expired|invalid)|missing (?:the )?authorization|resolve authentication method/,
);
/** Who is known but not allowed has a good token. "Please run /login" is what Claude Code puts behind any 403. */
const BAD_TOKEN =
  /\b(?:token|credentials?|session|cookie|signature|login)s?\b[^\n]{0,40}(?:is |are |was |has |have )?(?:invalid|expired|revoked|not valid|missing)|(?:invalid|expired|missing|malformed|revoked) (?:\w{1,12} )?(?:token|credentials?|signature|session|cookie)\b|(?:not |un)authenticated|\bneed to (?:run [`'"]?[\w -]{0,16}\/?login|(?:log|sign) ?in)\b|(?:log|sign) ?in again|authentication (?:is )?required/;
/** A server that was set up without a key says so with a 5xx; a code that only names a bad key does not overturn one (E4). */
const NO_KEY = wording(
  /no (?:api[ _-]?keys?|credentials?) (?:is |are |was |were )?(?:configured|found|provided|set)\b/,
  /(?:api[ _-]?key|token|credentials?) (?:is |are |was )?(?:not (?:set|provided|configured)|missing|required)/,
  /re-?authenticat\w{1,4} (?:is )?(?:needed|required)|please (?:re-?authenticate|log ?in)|(?:cookie|session|refresh token)s?\b[^\n]{0,40}(?:expired|invalid|up to date)/,
);
const NO_CREDENTIALS = /credentials (?:were |was )?not found|unregistered callers|could not load[^\n]{0,24}credentials/;
const BAD_PLACE =
  /(?:location|country|region|territory)[^\n]{0,24}(?:not (?:supported|available|allowed|served)|unsupported)|not (?:supported|available|allowed|offered) in (?:your|this)[^\n]{0,12} (?:location|country|region|territory)|unsupported (?:countr|region|location|territor)/;
const NO_MODEL = wording(
  NO_SUCH,
  NOT_THERE_OR_NOT_YOURS,
  /unexpected model name|^only (?!one\b|an? |the )[^\n]{1,1200} (?:are |is )?allowed|unable to access[^\n]{0,24}model|\bmodel\b[^\n]{0,60}is not supported(?! (?:with|by|for|in|when)\b)|\bmodel (?:is |was )?(?:not|un) ?support(?:ed)?\W{0,3}$/,
);
const ACCOUNT_CLOSED = wording(
  /\b(?:account|organi[sz]ation|user|key)\b[^\n]{0,40}(?:suspend|disabled|deactivat|banned|terminat)/,
  /access (?:was|has been|is) (?:terminated|suspended|revoked|disabled)|you have been blocked/,
  /(?:suspend|disabled|deactivat|banned)\w{0,3} (?:in|for|on) (?:this|your)[^\n]{0,12}(?:account|organi[sz]ation)/,
);
const NO_ACCESS = wording(
  NOT_ALLOWED,
  /(?:do(?:es)?n't|do(?:es)? not) have (?:access|permission)|must be verified|access (?:is |was |to [^\n]{1,40} )?denied/,
  /not (?:authorized|allowed|permitted|entitled) to (?:use|access|invoke|perform|sample)|operation (?:is )?not (?:allowed|permitted)(?=\W{0,3}(?:$|\n))/,
  /not supported (?:when|for) (?:using|your)[^\n]{0,40}account|not (?:included|available)[^\n]{0,12} (?:in|on|for|with) your[^\n]{0,16}(?:plan|tier|subscription|account)/,
  SAID.permission,
);
/** What was said, and not who said it. */
const CONTENT_REFUSED =
  /\b(?:content|prompt|input|output|image|message|response)s?\b[^\n]{0,24}\b(?:violat(?:es?|ed|ing)|flagged)\b/;
/** The phrases of E3, whatever the status. */
const LIMIT_PHRASE =
  /rate[ _]limit(?!_check)|rate-limited|too many requests|usage limit|quota exceeded|concurren(?:t|cy) (?:requests? |calls? |connections? )?limit|one (?:message|request|call) at a time/;
function saysLimit(text: string): boolean {
  return LIMIT_PHRASE.test(text) || SAID.rateLimit.test(text);
}

/** Narrower than what a 4xx is judged by: a server that is out of order may miss anything. */
const NO_MODEL_HERE =
  /\bmodel\b[^\n]{0,80}(?:not found|does not exist)|\b(?:unknown (?:provider|model)|no such provider)\b(?! (?:error|failure|exception|issue|response))/;
/** Not "not authorized to access model X or model does not exist". */
const ONLY_NO_MODEL = /^(?!.{0,200}not authorized).{0,120}\bmodel\b[^\n]{0,80}(?:not found|does not exist)/;
const NOT_OFFERED = /\bmodel (?:is )?not available(?! (?:in|for|to|on) your)/;
const REQUEST_TIMED_OUT = /\brequest (?:has )?timed out|timed out waiting/;
/** Faults of the model's side that some endpoints report as a bad request. */
const MODEL_DOWN =
  /(?:model|endpoint) is (?:currently |temporarily )?unavailable|nan\b[^\n]{0,30}detected in generation/;
const FAULT_OF_SERVER =
  /internal (?:server )?error (?:has |was )?(?:occurred|encountered)|\b(?:system|server|service|backend) (?:has )?encountered an? (?:unexpected|internal|unknown) error/;
const OVERLOADED_NOW = /\b(?:is|are) (?:currently |temporarily )?overloaded/;
/** The words of AWS; a bare code of this meaning does not overturn a 5xx (E4). */
const DENIED = wording(
  /access is denied due to|is not authorized to perform|access (?:is |was )?forbidden/,
  ONLY_FOR_OTHERS,
);
const SERVICE_DOWN = /(?:service|model) (?:is )?(?:currently |temporarily )?unavailable/;
const TRY_AGAIN = /conflict|lock|abort|try again|retry/;

/** Lets the endpoint's own words overturn what its status or code looked like. Gives back the same verdict if they don't. */
export function refine(first: Verdict, c: Case): Verdict {
  if (!isTelling(first, c)) return byHeaders(first, c);
  const changed = byHeaders(reconsider(first, c), c);
  return changed.retryable && saysPartial(c.text) ? { ...changed, retryable: false } : changed;
}

/** Nothing was connected to, so no words can tell that it was more than that. */
const NEVER_CONNECTED: ReadonlySet<string | undefined> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);

function isTelling(first: Verdict, c: Case): boolean {
  if (NEVER_CONNECTED.has(first.code)) return false;
  const stems = TELLING[first.kind];
  return stems === undefined || c.facts.quotas !== "" || c.hintMs !== undefined || stems.test(c.text);
}

function reconsider(first: Verdict, c: Case): Verdict {
  switch (first.kind) {
    case "rate_limit":
    case "usage_limit":
      return asLimit(first, c);
    case "context_overflow":
      // Groq answers 413 to a request that is over its tokens per minute.
      return first.isSpecific || saysOverflow(c.text) ? first : { ...first, ...readQuota(c, false) };
    case "bad_request":
    case "permission":
    case "auth":
      return asClientError(first, c);
    case "server":
    case "overloaded":
      return asServerFault(first, c);
    case "network":
      return asNetwork(first, c);
    case "stream_broken":
      return BEFORE_ANSWER.test(c.text) ? verdict("network", "text:network") : first;
    case "timeout":
      return CLOSED_EARLY.test(c.text) && !TIMED_OUT.test(c.text)
        ? verdict("stream_broken", "text:stream-broken")
        : first;
    case "not_found":
      return !first.isSpecific && CONNECT_FAILED.test(c.text) ? verdict("network", "text:network") : first;
    case "unknown":
      return asUnknown(first, c);
    default:
      return first;
  }
}

function asLimit(first: Verdict, c: Case): Verdict {
  if (c.status !== 402 && saysOverflow(c.text)) return verdict("context_overflow", "text:context-overflow");
  const finding = c.status === 402 ? undefined : readQuota(c, first.kind === "usage_limit");
  // A code that already says the same is the better evidence.
  const isSame = finding?.kind === first.kind && finding.retryable === first.retryable && first.isSpecific;
  return finding === undefined || isSame ? first : { ...first, ...finding, weight: 3 };
}

/** A 4xx: an overflow, a filter, a billing stop or a bad key may hide behind any of them. */
function asClientError(first: Verdict, c: Case): Verdict {
  const { text, status } = c;
  if (status === undefined && ANSWER_INVALID.test(text)) return verdict("stream_broken", "text:stream-broken");
  if (first.kind === "bad_request" && saysOverflow(text)) return verdict("context_overflow", "text:context-overflow");
  if (first.kind !== "auth") {
    const isPermission = first.isSpecific && first.kind !== "bad_request";
    if (!ACCOUNT_CLOSED.test(text) && (isPermission ? CONTENT_REFUSED.test(text) : saysFiltered(text)))
      return verdict("content_filter", "text:content-filter");
  }
  const stop = first.kind === "bad_request" ? stopBehindBadRequest(text) : stopBehindDenial(text);
  if (stop !== undefined) return verdict("usage_limit", stop);
  if (saysLimit(text)) return asLimit(verdict("rate_limit", "text:rate-limit"), c);
  if (status === 409 && TRY_AGAIN.test(text)) return verdict("server", "status:409", true);
  if (first.kind === "permission" && NO_CREDENTIALS.test(text)) return verdict("auth", "text:auth");
  if (first.kind === "permission" && (first.isSpecific ? /^model not found/ : ONLY_NO_MODEL).test(text))
    return verdict("not_found", "text:not-found");
  if (first.kind === "permission" && BAD_TOKEN.test(text)) return verdict("auth", "text:auth");
  if (first.kind === "permission" && c.ownStatus === 401 && BAD_KEY.test(text)) return verdict("auth", "text:auth");
  if (first.isSpecific && first.kind !== "bad_request") return first;
  if (first.kind === "auth" && NOT_ALLOWED.test(text)) return verdict("permission", "text:permission");
  if (BAD_KEY.test(text)) return verdict("auth", "text:auth");
  if (!TELLING_OF_REQUEST.test(text)) return first;
  if (CONNECT_FAILED.test(text)) return verdict("network", "text:network");
  if (first.kind !== "bad_request") return first;
  if (ACCOUNT_CLOSED.test(text) || BAD_PLACE.test(text)) return verdict("permission", "text:permission");
  if (saysTooLittleMemory(text)) return verdict("server", "text:memory", false);
  if (FAULT_OF_SERVER.test(text)) return verdict("server", "text:server");
  if (MODEL_DOWN.test(text) || OVERLOADED_NOW.test(text) || NONE_FREE.test(text))
    return verdict("overloaded", "text:overloaded");
  if (REQUEST_TIMED_OUT.test(text)) return verdict("timeout", "text:timeout");
  if (ANSWER_UNREAD.test(text)) return verdict("stream_broken", "text:stream-broken");
  if (NO_MODEL.test(text) || NOT_OFFERED.test(text)) return verdict("not_found", "text:not-found");
  if (NO_ACCESS.test(text)) return verdict("permission", "text:permission");
  return first;
}

/** A 5xx: some servers answer so to what no repetition mends, or to a throttle. */
function asServerFault(first: Verdict, c: Case): Verdict {
  const { text } = c;
  if (saysOverflow(text)) return verdict("context_overflow", "text:context-overflow");
  if (saysTooLittleMemory(text)) return { ...first, retryable: false, evidence: "text:memory", weight: 3 };
  if (first.kind === "server" && saysRequestFault(text) && !PROCESS_DIED.test(text))
    return verdict("bad_request", "text:request-fault");
  if (BAD_CONTENT.test(text)) return verdict("invalid_content", "text:content");
  if (saysMoney(text)) return verdict("usage_limit", "quota:money");
  if (saysLimit(text)) return asLimit(verdict("rate_limit", "text:rate-limit"), c);
  const stop = stopBehindBadRequest(text);
  if (stop !== undefined) return verdict("usage_limit", stop);
  if (NO_KEY.test(text)) return verdict("auth", "text:auth");
  if (DENIED.test(text)) return verdict("permission", "text:permission");
  if (NO_PATH.test(text) || NO_MODEL_HERE.test(text)) return verdict("not_found", "text:not-found");
  if (CUT.test(text) || CLOSED_EARLY.test(text)) return verdict("stream_broken", "text:stream-broken");
  if (first.kind === "server" && NONE_FREE.test(text)) return verdict("overloaded", "text:overloaded");
  if (saysFiltered(text)) return verdict("content_filter", "text:content-filter");
  if (first.kind === "server" && (CUT_ANSWER.test(text) || (NOT_JSON.test(text) && !QUOTES_A_FAULT.test(text))))
    return verdict("stream_broken", "text:stream-broken");
  if (TIMED_OUT.test(text)) return verdict("timeout", "text:timeout");
  const isOnTheWay =
    CONNECT_FAILED.test(text) ||
    NO_ANSWER_WORDS.test(text) ||
    ((first.kind === "server" || c.status === 502 || GO_CALL.test(text)) && NETWORK.pattern.test(text));
  if (isOnTheWay) return verdict("network", "text:network");
  if (first.kind === "server" && (saysCapacity(text) || SERVICE_DOWN.test(text)))
    return verdict("overloaded", "text:overloaded");
  return first;
}

const IN_THE_MIDDLE = /\bmid-?(?:answer|stream|response)\b/;
/** An answer without anything in it, which Connect calls an error of its own. */
const NO_WORD = /no (?:response|output|answer) from (?:the )?(?:model|llm)/;
/** "Unexpected token 'I', "Internal S"… is not valid JSON": what was read is the page of the fault. */
const QUOTES_A_FAULT = /"internal s|"bad gat|"service u|<html|<!doct/;
/** One class of Reactor's for both. */
const BEFORE_ANSWER = /connection prematurely closed before response/;
/** A client that checks what it received: the class is the same as for what is sent. */
const ANSWER_INVALID = /validation errors? for \w{0,24}(?:response|chunk|completion|generation|output|event)s?\b/;
/** A proxy's 400 for what it could not read itself. */
const ANSWER_UNREAD =
  /error decoding response body|(?:failed|unable|error|cannot|could not)(?: to)? (?:pars|decod|unmarshal|deserializ|read)\w{0,4} (?:the )?(?:\w{1,12} ){0,2}(?:response|answer|reply)\b(?![^\n]{0,60}`[45]\d\d)/;
const TIMED_OUT = /\btime(?:d)?[ -]?out\b|deadline[^\n]{0,16}exceeded/;
/** Windows, Linux, macOS. */
const TIMED_OUT_NUMBER = /winerror 10060|errno (?:60|110)\b|os error (?:60|110)\b|etimedout/;
/** How Go reports a call of its own that failed: a proxy's 500 then stands for the way to its upstream. */
const CONNECT_FAILED =
  /cannot connect to host|connect call failed|connection refused|econnrefused|fetch failed|upstream connect error|server connection error|socket disconnected|socket hang up|connection (?:terminat(?:ion|ed)|reset by peer)/;
const GO_CALL = /\b(?:post|get) \\{0,3}"https?:/;
const CLOSED_EARLY = /stream (?:disconnected|closed|ended) before/;
const NONE_FREE = wording(
  /(?:model|server) (?:is )?(?:currently |still )?loading|is (?:currently|still) loading|no (?:available|healthy|usable|free) (?:\w{1,12} )?(?:accounts?|channels?|tokens?|keys?|platforms?|deployments?|nodes?|upstreams?|backends?|instances?|workers?)|no (?:models?|deployments?|platforms?|providers?|channels?|servers?|workers?|accounts?) (?:are )?(?:currently )?available/,
  NONE_FREE_ZH,
);

/** A class of an HTTP client stands for several faults: the words tell a cut answer from one that never came. */
function asNetwork(first: Verdict, c: Case): Verdict {
  if (NO_CREDENTIALS.test(c.text)) return verdict("auth", "text:auth");
  if (BAD_ADDRESS.test(c.text)) return verdict("bad_request", "text:bad-request");
  if (CERTIFICATE.pattern.test(c.text)) return { ...first, retryable: false };
  if (first.isSpecific && (TIMED_OUT.test(c.text) || TIMED_OUT_NUMBER.test(c.text)))
    return verdict("timeout", "text:timeout");
  if (first.isSpecific && NONE_FREE.test(c.text)) return verdict("overloaded", "text:overloaded");
  return CUT.test(c.text) || IN_THE_MIDDLE.test(c.text) || NOT_JSON.test(c.text) || NO_WORD.test(c.text)
    ? verdict("stream_broken", "text:stream-broken")
    : first;
}

function asUnknown(first: Verdict, c: Case): Verdict {
  const { text } = c;
  // What was answered with nothing had fitted.
  if (SAID.empty.test(text)) return verdict("stream_broken", "text:stream-broken");
  if (saysOverflow(text)) return verdict("context_overflow", "text:context-overflow");
  if (!ACCOUNT_CLOSED.test(text) && saysFiltered(text)) return verdict("content_filter", "text:content-filter");
  // Beside a rate it is an advertisement: "Rate limit reached … Limit: 3 / min. Please add a payment method".
  if (saysMoney(text)) return asLimit(verdict("usage_limit", "quota:money"), c);
  if (saysTooLittleMemory(text)) return verdict("server", "text:memory", false);
  return first;
}

/** Limits that only the headers name: MiniMax' quota per model, ChatGPT's and Claude's plans. */
function byHeaders(first: Verdict, c: Case): Verdict {
  if (first.kind !== "rate_limit") return first;
  const perModel = c.headers.get("x-model-quota-remaining");
  if (perModel !== undefined && /=0\b(?!\.)/.test(perModel))
    return verdict("usage_limit", "header:x-model-quota-remaining");
  if (c.headers.get("x-codex-rate-limit-reached-type") !== undefined) {
    return verdict("usage_limit", "header:x-codex-rate-limit-reached-type");
  }
  if (c.headers.get("anthropic-ratelimit-unified-status") === "rejected") {
    return verdict("usage_limit", "header:anthropic-ratelimit-unified-status");
  }
  return first;
}
