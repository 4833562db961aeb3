import { toSimplified } from "./simplified-chinese.ts";

const HAN = /[\u4e00-\u9fff]/;
/** Typographic quotes, runs of blanks and lines that a terminal has wrapped hide a wording. */
const UNEVEN = /[^\n -~]|[ \t]{2}|\n[ \t]/;
const LOBE_HEADLINE = /请求[^\n,，]{0,32}服务出错[,，]请根据以下信息排查或重试/g;
/** "(not your usage limit)" is about something else. */
const NEGATED =
  /\b(?:not|isn't) (?:your|an?|the|because of|due to|related to|about)\b[^\n.;,)]{0,24}?(?:limits?|quota|billing|credits?|balance)\b/g;

/** "This may be due to A, B or C": the writer does not know. One guess alone is better than nothing. */
const GUESSES =
  /\b(?:this|which|it|you(?= (?:may|might|could) (?:be|have)\b)) (?:typically|usually|often|generally|may|might|could|can|probably)\b(?! not exist)[^.\n]{0,160}?\bor\b[^.\n]{0,160}(?:\.|$)|(?<!not |as |if |is |was )\bpossible (?!to\b)[^.\n]{0,80} or\b[^.\n]{0,80}(?:\.|$)/gm;

/** What would have been right: "unknown variant ``, expected one of `stop`, `content_filter`". */
const CHOICES_NEAR = /(?:one|any) of/i;
const CHOICES =
  /\b(?:expected|must be|should be|supported values|valid values)(?: are)? (?:one|any) of:? ?[`'"[(][^\n]{0,400}/gi;

/** The same in Chinese: "可能是密钥错误，也可能是请求过快". */
const GUESSES_ZH = /可能是?[^\n。]{1,40}(?:也|或)(?:者|有)?可能[^\n。]{1,40}/g;

/** A text as the wordings expect it: in lower case, with plain quotes and single blanks, without what it says it is not. */
export function plainText(text: string): string {
  let plain = text.toLowerCase();
  if (UNEVEN.test(plain)) {
    plain = plain
      .replace(/[\u2018\u2019]/g, "'")
      .replace(/[\u201c\u201d]/g, '"')
      .replaceAll("\uff1a", ":")
      .replace(/[ \t]*\n[ \t]+|[ \t]{2,}/g, " ");
    // The second is LobeChat's headline for whatever follows.
    if (HAN.test(plain)) plain = toSimplified(plain).replace(LOBE_HEADLINE, "").replace(GUESSES_ZH, "");
  }
  return TO_LEAVE_OUT.test(plain) ? withoutAsides(plain) : plain;
}

/** Dify's "[openai] Server Unavailable Error, …": each of its classes stands for several causes. */
const DIFY_HEADLINE = /\[[\w./-]{2,40}\] (?:server unavailable|connection|bad request) error, (?=\S)/g;

/** A list without anything in it says nothing by its name: `"permission_denials": []`. */
const EMPTY_FIELD = /\b(?!choices|candidates|content|output|response)[\w-]{3,64}(?:\\{0,7}["']|&quot;)?\s?:\s?\[\]/g;

/**
 * The request that clients keep in their errors, as a console or a log prints it, and its time limit, which need not have passed:
 * axios' `config.data`, got's `body`, the AI SDK's `requestBodyValues`. And `keep-alive: timeout=5`, a header of most answers.
 */
const REQUEST =
  /\b(?:data|body)["']?: ?(["'`])\{[^{}]*?"(?:messages|prompt|input|contents)\\?":(?:\\.|(?!\1)[^\\])*|requestbodyvalues["']?: ?\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*|(?<=[{,]\s?["']?)timeout["']?: ?(?:\{|u|\d+ ?[,}])|keep-alive["']?: ?["']?timeout=/g;

/** One of these is in everything that is left out; most texts have none. */
const TO_LEAVE_OUT =
  / or\b|\[\]|error, |not |(?:one|any) of|isn't |before completion: |(?:data|body|values)["']?: ?["'`]?\{|timeout["']?:|timeout=/;

function withoutAsides(text: string): string {
  let left = text
    .replace(REQUEST, "")
    // What follows is why it was disconnected.
    .replaceAll("stream disconnected before completion: ", "")
    .replace(GUESSES, "")
    // Flask's page for any fault.
    .replaceAll("either the server is overloaded or", "")
    .replace(NEGATED, "");
  if (left.includes("error, ")) left = left.replace(DIFY_HEADLINE, "");
  if (left.includes("[]")) left = left.replace(EMPTY_FIELD, "");
  return withoutChoices(left);
}

/** Without a list of what would have been right: its words are no statements. */
export function withoutChoices(text: string): string {
  return CHOICES_NEAR.test(text) ? text.replace(CHOICES, "") : text;
}
