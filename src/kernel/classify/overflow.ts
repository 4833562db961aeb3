import { near, wording } from "./wording.ts";

/** A throttle that counts tokens ("Request too large … tokens per min") is no overflow: the window is not full. */
const THROTTLE =
  /tokens?[ _-]per[ _-](?:min|sec|day|hour)|\b[tr]p[md]\b|rate[ _-]?limit|throttl|too many requests|please wait/;

const TOO_LONG = wording(
  near(/prompt|input|request|conversation|messages?|text|context|query|chat history/, / too (?:long|large|big)/, 4),
  /too (?:long|large) for (?:the |this |requested )*model|too many (?:input )?tokens/,
);

const CONTEXT = /context[ _-]?(?:length|window|size|limit)/;
const EXCEED = /exceed|overflow|is longer than|greater than|larger than|too small/;
const LIMIT = /limit|max|window|context|length|size|tokens/;
/** "context window exceeds limit", "input length (265330) exceeds …", "Context limit reached". */
const SIZE_EXCEEDED = wording(
  near(/context|prompt|input|sequence|chat history/, near(EXCEED, LIMIT, 40), 60),
  near(CONTEXT, /exceed|overflow|reached/, 30),
  /token count of[^\n]{0,30}exceed/,
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
  /length limit exceeded|expected maxlength|prompt: length: 1|payload size exceeds/,
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
const CHINESE = wording(
  /上下文[^\n]{0,16}(?:超|过长|限制|溢出)|超(?:出|过|过了)[^\n]{0,24}(?:上下文|最大长度|token|长度)/,
  /(?:输入|提示词|prompt|文本)[^\n]{0,12}(?:过长|超长|超出|太长)/,
);

/** Whether a text (in lower case) says that the request does not fit the model (E5). Digits are not required. */
export function saysOverflow(text: string): boolean {
  if (!/context|token|prompt|input|too l|too big|length|size|reduce|上下文|超|长/.test(text)) return false;
  if (THROTTLE.test(text)) return false;
  return (
    TOO_LONG.test(text) ||
    SIZE_EXCEEDED.test(text) ||
    EXCEEDS_SIZE.test(text) ||
    STATED_MAXIMUM.test(text) ||
    REDUCE.test(text) ||
    CHINESE.test(text)
  );
}
