import { hash } from "node:crypto";
import { checkObject, checkOneOf, InvalidInput } from "../../../kernel/index.ts";
import type { NumberedLine } from "../../../wire/split-lines.ts";
import type { BadLine, BatchLine, LineId } from "./batch-line.ts";
import { parseRequest } from "./parse-request.ts";

/** Longer than any request that a provider takes. */
export const MOST_LINE_CHARS = 64 * 1024 * 1024;
const HASH_CHARS = 8;
const URL = "/v1/chat/completions";

/** Line ends and blanks around it do not count: an editor may have changed them. */
export function hashOf(text: string): string {
  return hash("sha256", text.trim()).slice(0, HASH_CHARS);
}

export function isBlank(line: NumberedLine): boolean {
  return !line.isTooLong && line.text.trim() === "";
}

/** The request of a line: a prompt, an object with `messages` or `prompt`, or a line of OpenAI's batch format. Never throws. */
export function parseLine(line: NumberedLine): BatchLine | BadLine {
  const { number, text, isTooLong } = line;
  const named = { number, hash: hashOf(text) };
  let id: LineId = number;
  try {
    if (isTooLong) throw new InvalidInput("the line", text, `${MOST_LINE_CHARS} characters at most`);
    const given = parseJson(text);
    if (typeof given === "string") return { ...named, id, request: parseRequest("", { prompt: given }) };
    const fields = checkObject("the line", given);
    const isOpenai = fields.body !== undefined || fields.custom_id !== undefined;
    id = readId(isOpenai ? "custom_id" : "id", isOpenai ? fields.custom_id : fields.id, number);
    if (!isOpenai) return { ...named, id, request: parseRequest("", fields) };
    if (fields.method !== undefined) checkOneOf("method", fields.method, ["POST"]);
    checkUrl(fields.url);
    return { ...named, id, request: parseRequest("body.", checkObject("body", fields.body), "openai") };
  } catch (fault) {
    return { ...named, id, error: `line ${number}: ${fault instanceof Error ? fault.message : String(fault)}` };
  }
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "string" || (typeof value === "object" && value !== null && !Array.isArray(value)))
      return value;
  } catch {
    // Said below, without the words of the parser, which differ from one Node to the next.
  }
  throw new InvalidInput(
    "the line",
    text.trim(),
    'a JSON string, an object with "messages" or "prompt", or a line of OpenAI\'s batch format',
  );
}

function readId(field: string, given: unknown, number: number): LineId {
  if (given === undefined) return number;
  // `JSON.parse` rounds larger numbers: they would not be returned as given, and two might become one.
  const isNumber = typeof given === "number" && Math.abs(given) <= Number.MAX_SAFE_INTEGER;
  if (isNumber || (typeof given === "string" && given !== "" && given.length <= 1000)) return given as LineId;
  throw new InvalidInput(field, given, "a string of 1 to 1000 characters, or a number up to 9007199254740991");
}

function checkUrl(url: unknown): void {
  if (url === undefined || url === URL) return;
  if (url === "/v1/embeddings") throw new InvalidInput("url", url, `${URL}; for embeddings, use secondwind embed`);
  throw new InvalidInput("url", url, URL);
}
