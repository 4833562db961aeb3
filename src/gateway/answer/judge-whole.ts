import { parseJson, readAnswer } from "../../formats/index.ts";
import type { Reading } from "../../kernel/index.ts";
import { headerIn } from "../upstream/response-headers.ts";
import type { UpstreamAnswer } from "../upstream/upstream-call.ts";

/** To parse more than this would hold up everything else: such an answer is looked at only where it begins and ends. */
const MOST_PARSED = 65_536;
const MOST_PEEKED = 400;
const GOOD =
  /^\s*\{(?:(?!"error"|"base_resp"|"status"\s*:\s*"failed")[\s\S])*"(?:choices|content|candidates|data|output|embedding)"\s*:\s*[[{]/;

/** Whether a whole body is an answer. A body that was cut may look ended, and even have a length: only the parser knows. */
export function judgeWhole({ rawHeaders }: Pick<UpstreamAnswer, "rawHeaders">, body: Buffer): Reading {
  if (body.length > MOST_PARSED && headerIn(rawHeaders, "content-length") !== undefined && looksGood(body))
    return "content-end";
  const text = body.toString("utf8");
  return readAnswer(parseJson(text), text);
}

function looksGood(body: Buffer): boolean {
  const start = body.toString("latin1", 0, MOST_PEEKED);
  const end = body.toString("latin1", body.length - 8).trimEnd();
  return end.endsWith("}") && GOOD.test(start) && !isEmptyAnswer(start);
}

/** `"content":""` or `null` and the like: whether that is an answer is decided by all of it. */
function isEmptyAnswer(start: string): boolean {
  return /"content"\s*:\s*(?:""|null|\[\s*\])|"parts"\s*:\s*\[\s*\]|"output"\s*:\s*\[\s*\]/.test(start);
}
