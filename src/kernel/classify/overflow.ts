import { SAID } from "./other-languages.ts";
import { near, wording } from "./wording.ts";

/** A throttle that counts tokens ("Request too large … tokens per min") is no overflow: the window is not full. */
const THROTTLE =
  /tokens?[ _-]per[ _-](?:min|sec|day|hour)|\b[tr]p[md]\b|rate[ _-]?limit|throttl|too many requests|please wait|time ?frame|time window|wait a (?:bit|moment|while|minute)/;

const TOO_LONG = wording(
  near(
    /prompt|input|request|conversation|messages?|text|context|query|chat history/,
    /(?<!took|takes?|taking) too (?:long|large|big)/,
    10,
  ),
  /too (?:long|large) for (?:the |this |requested )*model|too many (?:input )?tokens/,
);

const CONTEXT = /context[ _-]?(?:length|window|size|limit)/;
const EXCEED = /exceed|overflow|is longer than|greater than|larger than|too small/;
const LIMIT = /limit|max|window|context|length|size|tokens/;
/** "context window exceeds limit", "input length (265330) exceeds …", "Context limit reached". */
const SIZE_EXCEEDED = wording(
  near(/context|prompt|input|sequence|chat history/, near(EXCEED, LIMIT, 40), 60),
  near(CONTEXT, /exceed|overflow|reached|\bhit\b/, 30),
  /(?:prompt|input|request|messages) (?:has|have|is|contains?|with) \d{3,9} tokens\b[^\n]{0,40}(?:limit|max|context (?:size|window|length))/,
  /(?:message|prompt|input|conversation)s? exceeds? (?:the |its )?(?:max\w{0,5}|allowed) (?:length|size|tokens)/,
  /\btokens\b[^\n]{0,40} (?:is|are) (?:over|above|more than)/,
  /tokens? (?:length|count|number)[^\n]{0,30}exceed|(?:message|prompt|input|context|request)s? exceeds? (?:the )?token limit/,
);

const OVER = wording(
  /exceed\w{0,3}|longer than|greater than|larger than|surpass\w{0,3}|beyond|>/,
  /too (?:large|long|big) for|does(?:n't| not) fit/,
);
const MODEL_SIZE = wording(
  /context[ _-](?:length|window|size|limit)|loaded context|max(?:imum)? context|n_ctx|num_ctx|maximum size\b/,
  /maximum (?:prompt|input|sequence) length|maximum allowed (?:input|number of (?:bytes|input tokens|tokens))/,
  /maximum number of (?:input )?tokens|(?:model|input) token limit/,
);
/** "exceeds the available context size", "too large for model with … maximum context length". */
const EXCEEDS_SIZE = near(OVER, MODEL_SIZE, 60);

const STATED_MAXIMUM = wording(
  /message larger than max|length limit exceeded|expected maxlength|prompt: length: 1|(?:payload|request|body|message) size exceeds/,
  /max(?:imum)? (?:context|prompt|input|sequence|model) ?(?:length|len|tokens?|limit)(?: allowed)? (?:is|of|for)\b/,
  /current length is[^\n]{0,40}while limit is/,
  /`?inputs`? (?:tokens \+ `?max_new_tokens`? must be|must have less than)|range of input length should be/,
  /tokens to keep from the initial prompt|trying to keep the first \d|prompt filled the context/,
  /(?:messages|input|content|prompt)[^\n]{0,40}string too long/,
);
const REDUCE = wording(
  /reduce (?:the )?length of (?:the |your )?(?:messages|prompt|input|context)|reduce your (?:prompt|input)/,
  /reduce (?:the )?(?:prompt|input|context|message) (?:size|length)|(?:payload|entity|request) too large/,
);
/** Local servers: the cache for the context is full, or the prompt does not fit into one batch. */
const LOCAL = wording(
  /(?:find|found) (?:a |any )?(?:free |suitable )?(?:kv |memory |cache )*(?:slot|space)[^\n]{0,40}(?:kv|batch|cache|prompt)|kv[ _-]?cache (?:is )?(?:full|exhausted)|context (?:is )?full/,
  /context shift is disabled|input (?:is )?too large to process|(?:max_seq_len|max_model_len|max_position|max_total_tokens|max_input_tokens)[^\n]{0,60}(?:exceed|less than|smaller|limit)/,
  /(?:must be|should be|be)[^\n]{0,12}(?:less than|<=?|at most|smaller than|no more than)[^\n]{0,24}(?:max_seq_len|max_model_len|max_position|max_total_tokens|max_input|context)/,
  // The prompt leaves less than nothing for the answer.
  /max(?:_new|_completion|_output|imum)?[ _]?tokens[^\n]{0,60}(?:got|is|was|to|:|=|value) ?\(?-\d|negative[^\n]{0,24}max_tokens|max_tokens[^\n]{0,24}negative/,
);

/** An agent that refuses a model before it asks anything of it. */
const TOO_SMALL_A_MODEL =
  /context (?:window|size|length)[^\n]{0,40}too small[^\n]{0,40}minimum|minimum (?:context|supported)[^\n]{0,40}tokens/;

/** Whether a text (in lower case) says that the request does not fit the model (E5). Digits are not required. */
export function saysOverflow(text: string): boolean {
  if (!/context|token|prompt|input|too l|too big|length|size|larger|reduce|kv|[^\s -~]/.test(text)) return false;
  if (THROTTLE.test(text) || TOO_SMALL_A_MODEL.test(text)) return false;
  return (
    TOO_LONG.test(text) ||
    SIZE_EXCEEDED.test(text) ||
    EXCEEDS_SIZE.test(text) ||
    STATED_MAXIMUM.test(text) ||
    (REDUCE.test(text) && !/time(?:d )?[ -]?out/.test(text)) ||
    LOCAL.test(text) ||
    SAID.overflow.test(text)
  );
}
