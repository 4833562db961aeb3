import { wording } from "./wording.ts";

/**
 * Faults of the request itself, which some servers answer with a 500: the same request fails in the same way again.
 * llama.cpp: tool arguments, grammars, templates. The list is narrow on purpose: a 500 is worth a retry.
 */
const DETERMINISTIC = wording(
  /failed to parse|json\.exception|parse_error\.\d|chat template|\bjinja\b/,
  /failed to (?:initialize|parse) (?:grammar|samplers)|conversation roles must alternate/,
  /invalid (?:grammar|json schema)|unsupported (?:param|content|image|media|role)/,
  /does not support (?:tools|images?|vision|function|streaming|chat|thinking|system)|missing mmproj/,
  /invalid type: |convert_request_failed|not implemented/,
);

/** The consumer already has a part: a repetition would double it (E14). */
const PARTIAL =
  /partial (?:response|answer|content|output|result)[^\n]{0,20}(?:received|delivered|returned|sent)|(?:response|answer|output) (?:above )?may be incomplete/;

export function saysRequestFault(text: string): boolean {
  return DETERMINISTIC.test(text);
}

export function saysPartial(text: string): boolean {
  return PARTIAL.test(text);
}
