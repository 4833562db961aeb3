import { isPlainlyGood, parseJson, readAnswer } from "../../formats/index.ts";
import type { Reading } from "../../kernel/index.ts";

/** To parse more than this would hold up everything else. */
const MOST_PARSED = 65_536;

/**
 * Whether a whole body is an answer. A body that was cut may look ended, and even have a length: only all of it tells. `ascii`: the
 * body as text, if it is ASCII.
 */
export function judgeWhole(body: Buffer, ascii?: string): Reading {
  // One character for each byte, at next to no cost.
  if (body.length > MOST_PARSED && isPlainlyGood(body.toString("latin1"))) return "content-end";
  const text = ascii ?? body.toString("utf8");
  return readAnswer(parseJson(text), text);
}
