import { SAID } from "./other-languages.ts";
import { near, wording } from "./wording.ts";

const FILTERED = wording(
  /(?<!invalid |unknown |unsupported )content[ _-]?(?:filter(?!_(?:results?|offsets|raw)\b)|management policy|polic|moderation|safety|security|violation)|responsible ?ai/,
  /safety[ _](?:system|filter|setting|reason|check|polic|guideline|guardrail)/,
  near(
    /(?:block|flag|reject|refus|filter(?! polic)|with(?:held|hold))\w{0,4}(?![a-z]|["'\\]{1,4}\s?:\s?(?:false|null)| by (?:cors|(?:your |the )?(?:organi[sz]ation|company|admin)))/,
    /safety|polic|moderation|prohibited|harm|guardrail|violat|sensitive|inappropriate|copyright|recitation|biolog|cyber/,
    48,
  ),
  /(?:response|prompt|output|completion|(?<!(?:^|\n)the )request|input) (?:was|is|got|has been|were|have been) (?:blocked|flagged|filtered|refused)/,
  /blocked (?:a|the|this|your) (?:proper )?(?:response|prompt|message|content)|requires moderation|moderation (?:failed|error|triggered|rejected)|violat[^\n]{0,48}(?:polic|guidelines|terms|rules)|inappropriate (?:content|request|prompt|language|input|message)|contains? (?:\w{1,12} ){0,2}(?:text|words?|content|language|terms?|material|phrases?) (?:that |which )?(?:is |are |was |were )?(?:not allowed|not permitted|prohibited|forbidden|blocked|banned|disallowed)/,
  /(?:may|might|could|potentially)[^\n]{0,16}(?:inappropriate|sensitive|unsafe|harmful)|data may contain/,
  /content exists risk|considered high risk|sensitive (?:content|words?|information)|prohibited[_ ]content/,
  /recitation|data_?inspection|usage polic(?:y|ies)|(?:can't|cannot|unable to) (?:help|assist|respond|process)[^\n]{0,24}(?:policy|safety)/,
  /filtered["'\\]{1,4}\s?:\s?true|flagged (?:as|for|the|your)|unsafe (?:content|request|prompt)|declined[^\n]{0,12}safety|deemed unsafe|block_?reason["']?[:=] ?["']?[a-z]|(?:isn't|not|never) (?:allowed|permitted) (?:by|under) (?:our|the|its) (?:\w{1,12} )?(?:rules|polic|guidelines|terms)|matched public code|finish[_ ]?reason["'\]]{0,2}(?: is|:) ?(?:3\b|safety)|harm_category_\w{3,40}[^\n]{0,24}(?:high|medium)/,
  SAID.filtered,
);

/** Whether a text (in lower case) says that a filter refused the prompt or the answer. */
export function saysFiltered(text: string): boolean {
  return FILTERED.test(text);
}
