import { parseJson, readAnswer } from "../../formats/index.ts";
import type { Reading } from "../../kernel/index.ts";

/** An answer that says so at its beginning is not parsed. */
const MOST_PEEKED = 400;
const GOOD =
  /^\s*\{(?:(?!"error"|"base_resp"|"status"\s*:\s*"failed")[\s\S])*"(?:choices|content|candidates|data|output|embedding)"\s*:\s*[[{]/;

/** Whether a whole body is an answer. A look at its ends is enough as a rule; anything unusual is parsed. */
export function judgeWhole(body: Buffer): Reading {
  const start = body.toString("latin1", 0, MOST_PEEKED);
  const end = body.toString("latin1", Math.max(0, body.length - 8)).trimEnd();
  const isUsual = end.endsWith("}") && GOOD.test(start) && !isEmptyAnswer(start);
  if (isUsual) return "content-end";
  const text = body.toString("utf8");
  return readAnswer(parseJson(text), text);
}

/** `"content":""` or `null` and the like: whether that is an answer is decided by all of it. */
function isEmptyAnswer(start: string): boolean {
  return /"content"\s*:\s*(?:""|null|\[\s*\])|"parts"\s*:\s*\[\s*\]|"output"\s*:\s*\[\s*\]/.test(start);
}
