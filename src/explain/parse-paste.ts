import { checkErrorInput, ERROR_FIELDS, type ErrorInput } from "./error-input.ts";

const STATUS_LINE = /^HTTP\/\d(?:\.\d)? ([1-5]\d\d)(?: .*)?$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/;
/** The classifier parses JSON up to about this size; larger bodies are parsed here. */
const LARGE_BODY_CHARS = 100_000;

/**
 * Parses pasted text: a message, a JSON body, `{status, headers, body}`, or the output of `curl -i` or `curl -v`. Any other
 * text is a body.
 */
export function parsePaste(text: string): ErrorInput {
  const paste = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  return parseHttp(paste) ?? parseEnvelope(paste) ?? { body: bodyOf(paste.trim()) };
}

/** Throws `InvalidInput` for an envelope with an invalid field. */
function parseEnvelope(paste: string): ErrorInput | undefined {
  const value = paste.trimStart().startsWith("{") ? parseJson(paste) : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  const keys = Object.keys(value);
  if (keys.length === 0 || !keys.every((key) => ERROR_FIELDS.some((field) => field === key))) return undefined;
  // `{"status": "error"}` alone is a response body, not an envelope with an invalid status.
  const isEnvelope = "body" in value || "headers" in value || ("status" in value && typeof value.status === "number");
  return isEnvelope ? checkErrorInput(value) : undefined;
}

function parseHttp(paste: string): ErrorInput | undefined {
  const lines = withoutCurlMarks(paste.trimStart().split("\n"));
  if (lines === undefined || !STATUS_LINE.test(lines[0]?.trimEnd() ?? "")) return undefined;
  let at = 0;
  let status = 0;
  let headers: Record<string, string> = {};
  // "200 Connection established" of a proxy, "100 Continue" and redirects come before the final response.
  for (;;) {
    const found = STATUS_LINE.exec(lines[at]?.trimEnd() ?? "");
    if (found === null) break;
    status = Number(found[1]);
    const block = readHeaderLines(lines, at + 1);
    headers = block.headers;
    at = block.end;
  }
  const body = lines.slice(at).join("\n").trim();
  return { status, headers, ...(body !== "" && { body: bodyOf(body) }) };
}

function readHeaderLines(lines: readonly string[], start: number): { headers: Record<string, string>; end: number } {
  const pairs = new Map<string, string>();
  let end = start;
  for (; end < lines.length; end++) {
    const line = lines[end]?.trimEnd() ?? "";
    if (line === "") {
      end++;
      break;
    }
    const found = HEADER_LINE.exec(line);
    // Pasted text often lacks the blank line.
    if (found === null) break;
    const name = (found[1] ?? "").toLowerCase();
    if (!pairs.has(name)) pairs.set(name, found[2] ?? "");
  }
  return { headers: Object.fromEntries(pairs), end };
}

/** `curl -v` prefixes received lines with `<`, and adds sent lines (`>`, including the key) and notes (`*`). */
function withoutCurlMarks(lines: readonly string[]): readonly string[] | undefined {
  const first = lines.findIndex((line) => /^< HTTP\//.test(line));
  if (first === -1) return lines;
  return lines
    .slice(first)
    .filter((line) => !/^[*>}{] /.test(line) && line !== ">")
    .map((line) => (/^<(?: |$)/.test(line) ? line.slice(2) : line));
}

export function bodyOf(text: string): unknown {
  if (text.length < LARGE_BODY_CHARS || !/^\s*[[{]/.test(text)) return text;
  return parseJson(text) ?? text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
