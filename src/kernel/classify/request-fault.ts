import { wording } from "./wording.ts";

/**
 * Faults of the request itself, which some servers answer with a 500: the same request fails in the same way again.
 * llama.cpp: tool arguments, grammars, templates. The list is narrow on purpose: a 500 is worth a retry.
 */
const DETERMINISTIC = wording(
  /failed to parse(?! (?:\w{1,12} ){0,2}(?:response|stream|chunk|sse|answer|reply|output))|unexpected keyword argument|\bonly supports? (?:text|images?|one|a single|the following|streaming|non-streaming)|json\.exception|parse_error\.\d|chat template|\bjinja\b/,
  /failed to (?:initialize|parse) (?:grammar|samplers)|conversation roles must alternate/,
  /invalid (?:grammar|json schema)/,
  /does not support (?!.{0,16}(?:http|connection))|missing mmproj/,
  /(?:improperly|badly|ill)[ -]?formed|\binvalid ['"`][a-z_][\w.[\]]{1,60}['"`][:.]|参数(?:非法|错误|无效|不正确|不合法|有误)|(?:非法|无效|缺少)参数/,
  /invalid type: |convert_request_failed|(?<!501[^\n]{0,32})not implemented|(?:invalid|malformed) (?:\w{1,12} ){0,2}request\b|unimplemented|raise_exception|at row \d{1,6}, column \d/,
  /\b[a-z_.[\]\d]{3,40}['"`]? is (?:a )?required\b(?! for type)|field required|missing (?:an? |the |some )?required|(?:unknown|unrecognized) (?:parameter|field|argument)/,
  /(?:parameter|argument|field|value|role|property|option)[^\n]{0,40} (?:is not (?:supported|valid|allowed)|must (?:be|have|contain|not))/,
  /\b(?:messages?|prompt|input|content|contents|model)\b[^\n]{0,20} (?:must|should|cannot|can not) (?:not )?be\b|cannot unmarshal \w{1,12} into go struct field \w{0,40}(?:request|message)/,
  /unsupported (?:param|argument|field|value|message|format|model type|content|image|media|role)|invalid (?:parameter|argument|role|field|schema)\b(?!: an? (?:internal|unexpected|unknown))/,
);

/** The consumer already has a part: a repetition would double it (E14). */
const PARTIAL =
  /partial (?:response|answer|content|output|result)[^\n]{0,20}(?:received|delivered|returned|sent)|\b(?:finali[sz]|keep|return|sav)ing (?:the )?partial |after [1-9]\d{0,6} (?:block|chunk|token|event)(?:s|\(s\))? (?:were )?(?:yielded|received|streamed|delivered)|(?:response|answer|output) (?:above )?may be incomplete/;

/** The machine cannot hold the model: unlike a burst that fills the memory for a moment, this stays. */
const TOO_LITTLE_MEMORY =
  /requires more (?:system |gpu )?memory|not (?:have )?enough (?:available |free )?memory|(?:unable|failed) to allocate[^\n]{0,24}buffer|(?:error loading|(?:failed to|unable to|could ?n[o']t|cannot|can't) load) (?:the )?model|no suitable[^\n]{0,16}servers? found|no space left on|disk (?:is )?full|llama\.?cpp is unavailable|(?:runtime|runner|binary|llama-server) (?:is |was )?(?:not (?:installed|found)|missing)/;

export function saysTooLittleMemory(text: string): boolean {
  return TOO_LITTLE_MEMORY.test(text);
}

export function saysRequestFault(text: string): boolean {
  return DETERMINISTIC.test(text);
}

export function saysPartial(text: string): boolean {
  return PARTIAL.test(text);
}
