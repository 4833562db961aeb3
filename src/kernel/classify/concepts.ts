import type { FailureKind } from "../model/failure.ts";
import { CONCEPTS_ELSEWHERE } from "./concepts-elsewhere.ts";
import { near, wording } from "./wording.ts";

export interface Concept {
  readonly kind: FailureKind;
  /** What a sentence is about. */
  readonly subject: RegExp;
  /** What is the matter with it. */
  readonly state: RegExp;
}

/** In one clause, either way round: "balance is insufficient", "insufficient balance". */
const MOST_APART = 28;

/**
 * What a sentence says that no wording knows: a subject and its state. In the order in which a call must get past them. A verdict
 * by these is a guess. Subjects and states that clients' own crashes have too (data, key, process, failed) are not among them.
 */
const CONCEPTS: readonly Concept[] = [
  {
    kind: "auth",
    subject:
      /\b(?:api|access|secret|license|private|provider|account|openai|anthropic|gemini|your|the)[ _-]?keys?\b|(?:^|\n)key\b|(?<!thought |thinking )\bsignature\b(?!\W{1,3}in\b)|(?:\b(?:access|api|auth|bearer|login|refresh|id)|(?:^|\n|: ?)|\byour|\bthe) ?token\b(?! (?:count|limit|length|budget|usage|at|in)\b)|credentials?|passwords?|\blog-?in\b|\bsign-?in\b|\bcookie\b/,
    state:
      /invalid|incorrect|wrong|expired|revoked|missing|not (?:set|found|provided|configured|valid|recogni[sz]ed|specified|present)|unknown|rejected|required|mismatch|\bempty\b|\bbad\b|no longer valid|blank|malformed|configure|(?:verification|validation|check) failed/,
  },
  {
    kind: "usage_limit",
    subject:
      /\bcredits?\b|\bbalance\b|\bfunds\b|\bquotas?\b|allowance|\bwallet\b|\bbudget\b|\btrial\b|subscription|premium request|(?:daily|weekly|monthly|free|inference|usage|spending|plan|account) (?:\w{1,12} )?(?:limit|cap|usage)\b|\bplan\b|(?:tokens|requests|messages)[^\n]{0,16} (?:left|remaining|for (?:today|th(?:is|e) (?:month|week|day)))/,
    state:
      /exceed|exhaust|insufficient|(?:ran|run|running) out|used up|deplet|not enough|too low|\bempty\b|expired|overdue|negative|\breached\b|\bhit\b|consumed|\bended\b|lapsed|unpaid|no (?:more|remaining)|out of\b|upgrade|(?:does not|doesn't) include|not included|none left|\badd\b|used (?:all|100 ?%)|is 0\b|(?:have|has|only|with) 0\b|\bis over\b|\bover$/,
  },
  {
    kind: "permission",
    subject:
      /\b(?:account|organi[sz]ation|team|workspace|user|project|tenant|region|country|territory|ip(?: address)?|client|model|feature|plan|tier)s?\b/,
    state:
      /not (?:been |yet )?(?:activated|enabled|approved|whitelisted|verified|granted|subscribed|permitted|eligible|entitled)|\b(?:disabled|deactivated|suspended|banned|blocked|restricted|frozen|locked)|isn't allowed|blocked by (?:\w{1,16} )?(?:policy|admin)|no (?:access|permission)|lacks? (?:access|permission)|(?:request|need|require)s? (?:access|approval)/,
  },
  {
    kind: "not_found",
    subject: /\b(?:model|deployment|engine|endpoint|route|checkpoint|language ?model)s?(?:_id)?\b/,
    state:
      /no such|not (?:configured|loaded|installed|offered|listed|provided)|unknown(?! (?:tool|function|field|param|role|type|error|reason))|unsupported|(?<!currently |temporarily )(?:is |are )?not available|\bgone\b|not in (?:the|our|this|your) (?:catalog|list|registry|library)|no longer (?:supported|offered|served)|any known|no matching|identifier is invalid|no model|no provider|isn't (?:loaded|available|installed|supported|offered)|(?:called|named)\b|not a known/,
  },
  {
    kind: "context_overflow",
    subject: /context(?: window)?|conversation|chat(?: history)?|\bprompt\b|\btranscript\b|\btokens\b|\btext for\b/,
    state:
      /ran out|out of (?:room|space)|no room|too (?:long|big|large)|overflow|\bfull\b|does(?: not|n't) fit|no longer fits?|too much/,
  },
  {
    kind: "rate_limit",
    subject: /concurren|parallel|requests?\b|calls\b|queries|messages|\brate\b|\b[rt]pm\b|frequency/,
    state:
      /too (?:many|fast|frequent|often|quick|high)|limit per (?:min|sec|hour)|reached max|(?:exceed|reach|hit|over)\w{0,3} (?:the |your |its )?(?:max|limit|rate)|slow(?:er| down)|throttl/,
  },
  {
    kind: "overloaded",
    subject:
      /\b(?:server|service|model|system|provider|channel|upstream|cluster|gpu|queue|pool|backend|endpoint|api|instance|worker|slot|engine|capacity|resource)s?\b/,
    state:
      /\bbusy\b|unavailable(?! for this)|(?:currently|temporarily) (?:not available|offline|down)|(?:is|are|queue) full\b|saturat|congest|overwhelm|swamped|maintenance|warming up|starting up|not (?:yet )?ready|none available|high (?:usage|volume)/,
  },
  {
    kind: "timeout",
    subject:
      /\b(?:request|response|reply|answer|server|model|generation|operation|call|task|run|tool|token|chunk|completion|inference)s?\b/,
    state:
      /exceeded \d{1,6} ?(?:s|sec|seconds|ms|min|minutes)\b|waited \d|took (?:too long|longer)|wait(?:ed|ing)? too long|within \d{1,6} ?(?:s|sec|seconds|ms|minutes?)\b|time limit|time budget|\bin time\b|(?:more|longer) than \d{1,6} ?(?:s|sec|seconds|ms|min|minutes)\b/,
  },
  {
    kind: "stream_broken",
    subject:
      /\b(?:stream|streaming|response|answer|reply|completion|chunk|sse|(?:model|llm|ai|agent)(?:'s)? (?:output|message|turn)|assistant|message[. ]content|content in (?:the )?message|turn ended|finished without)s?\b/,
    state:
      /is (?:null|none|undefined|nil)\b|without an? (?:\w{1,12} )?(?:message|answer|output)|no (?:\w{1,9} )?(?:answer|output|message|reply|content|text|choices)|unrecogni[sz]ed|not (?:be )?underst|pars(?:e|ing) error|deserialization|(?:get|obtain|produce) a valid|any content|\bempty\b|\bblank\b|incomplete|truncated|cut (?:off|short)|interrupt|\blost\b|ended (?:early|abruptly)|contain(?:s|ed)? no|does(?: not|n't) (?:contain|include|have)|lacks|missing|gave no|ha[sd] no|unreadable|garbled|stopped (?:early|unexpectedly|abruptly)/,
  },
  {
    kind: "network",
    subject:
      /\bconnect(?:ing|ion|ivity)?\b|\bsocket\b|\bnetwork\b|\bdns\b|\bproxy\b|\bhost(?:name)?\b|\binternet\b|\bserver\b(?= (?:is )?unreach)/,
    state:
      /trouble|problem|issue|difficult|\bcheck\b|fail(?!ed to (?:validate|verify|save|create|update|add))|unable|cannot|could ?n[o']t|can't|\blost\b|refus|reset|broken|unreachable|dropped|unstable|not (?:resolve|established|respond)/,
  },
];

interface Compiled {
  readonly kind: FailureKind;
  readonly name: string;
  readonly pattern: RegExp;
}

const COMPILED: readonly Compiled[] = [...CONCEPTS, ...CONCEPTS_ELSEWHERE].map(({ kind, subject, state }) => ({
  kind,
  name: `concept-${kind.replace("_", "-")}`,
  pattern: wording(near(subject, state, MOST_APART), near(state, subject, MOST_APART)),
}));

/** The first concept that a text (in lower case) shows. */
export function matchConcept(text: string): Compiled | undefined {
  return COMPILED.find(({ pattern }) => pattern.test(text));
}

/** Whatever it is about: a request or a setting that is wrong. Never worth a retry, like what is unknown. */
const WRONG = wording(
  /validation failed|is unknown\b|no matching|please provide|\b(?:invalid|unsupported|illegal|malformed|unrecogni[sz]ed|duplicate|conflicting)\b|\bonly one of\b|without (?:its|the|a) required|\b(?:is|are) (?:wrong|mandatory|corrupt(?:ed)?)\b|format error|\bno messages (?:were |was )?(?:provided|given|found)|(?:name|description|id|value|field|string) is too long|(?:isn't|aren't|not) (?:currently |yet )?supported|not implemented|\bonly [^\n]{1,60} (?:is|are) (?:currently )?(?:supported|allowed|accepted)/,
  /exceeds? (?:the )?(?:max|limit)|not (?:allowed|permitted|recogni[sz]ed(?! as an)|accepted)|(?<!index )out of range|\bonly supports?\b|alternat|\bcannot (?:be|use|have|set)|\bmust\b|(?:is|are) (?:empty|required|invalid|not specified|nil)\b|\bmissing (?!or\b)[a-z_]{3,24}|does not accept|\brequires? (?:an?|the|at least)\b|\bexpected [^\n]{1,90}(?:, | but |, but )(?:got|received|found)|\bexpects\b|\bcan only be\b|\bplease ensure\b|(?:unable|failed|could not|cannot) (?:to )?(?:download|fetch|load|open|decode|process) (?:the |an? |this |your )?(?:\w{1,9} )?(?:image|file|media|document|attachment|audio)|too (?:small|short)\b|is not of type|failed validation|\bboth\b|(?:parameter|argument|field|value|header)s? (?:is |are )?missing|(?:grammar|template|schema) (?:parse )?error|\bm(?:in|ax)imum (?:is|of)\b/,
);

/** Says which side is at fault, and no more. */
const SERVER_SIDE =
  /\b(?:server|provider|upstream|backend|engine(?:core)?|inference|gpu|openai|anthropic|google|gemini|mistral|deepseek|groq|bedrock|azure)(?:'s)?(?: api| server| service| side| end)?\b/;
const TROUBLE =
  /\b(?:problems?(?! persists)|issues?(?! persists)|trouble|failure|fault|malfunction|outage|incident|went wrong|error during|failed to run)\b/;
export const SAYS_SERVER: Compiled = {
  kind: "server",
  name: "concept-server",
  pattern: wording(near(SERVER_SIDE, TROUBLE, 16), near(TROUBLE, SERVER_SIDE, 16)),
};

/** Fields of a request, as OpenAI, Anthropic, Gemini and local servers call them. */
const FIELD =
  /\b(?:temperature|top_[pk]|max_(?:completion_|output_|new_)?tokens|maxoutputtokens|tool_(?:choice|use|result|calls?|config)|toolconfig|function_?call(?:ing|_response)?|parallel_tool_calls|response_?(?:format|schema|mime_?type)|stream_options|image_url|system_?instruction|generation_?config|safety_?settings|reasoning_(?:effort|content)|thinking(?:_?budget|config)?|cache_control|additionalproperties|input_schema|logit_bias|logprobs|presence_penalty|frequency_penalty|stop_sequences|service_tier|num_ctx|keep_alive|extra_body|base[ _]?url|api[ _]base|chat[ _]template|tool[ -]choice)\b/;
const FIELD_STATE =
  /\bnot\b|without|requires?|missing|unexpected|found|needs?\b|only|both|when|expected|allowed|between|conflict|ignored|no longer/;

/** The last resort: the text says that something of the request or the settings is wrong, in words of its own. */
export const SAYS_WRONG: Compiled = {
  kind: "bad_request",
  name: "concept-bad-request",
  pattern: wording(WRONG, near(FIELD, FIELD_STATE, 48), near(/\bno|without|missing|invalid|unknown/, FIELD, 24)),
};
