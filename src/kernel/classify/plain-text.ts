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
  /\b(?:this|which|it) (?:typically|usually|often|generally|may|might|could|can|probably)\b[^.\n]{0,160}?\bor\b[^.\n]{0,160}(?:\.|$)/gm;

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
    if (HAN.test(plain)) plain = toSimplified(plain).replace(LOBE_HEADLINE, "");
  }
  return TO_LEAVE_OUT.test(plain) ? withoutAsides(plain) : plain;
}

/** One of these is in everything that is left out; most texts have none. */
const TO_LEAVE_OUT = / or|not |isn't |before completion: /;

function withoutAsides(text: string): string {
  return (
    text
      // What follows is why it was disconnected.
      .replaceAll("stream disconnected before completion: ", "")
      .replace(GUESSES, "")
      // Flask's page for any fault.
      .replaceAll("either the server is overloaded or", "")
      .replace(NEGATED, "")
  );
}
