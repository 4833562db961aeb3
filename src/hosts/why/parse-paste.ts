import { checkProblem, PROBLEM_FIELDS, type Problem } from "./problem.ts";

const STATUS_LINE = /^HTTP\/\d(?:\.\d)? ([1-5]\d\d)(?: .*)?$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/;
/** The classifier parses JSON up to about this size by itself; larger bodies are parsed here. */
const LARGE_BODY_CHARS = 100_000;

/**
 * Whatever people paste, as a problem: a bare message, a JSON body, `{status, headers, body}`, or what `curl -i` and
 * `curl -v` print. Total: a text that is nothing of this is a body.
 */
export function parsePaste(text: string): Problem {
  const paste = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  return parseHttp(paste) ?? parseEnvelope(paste) ?? { body: bodyOf(paste.trim()) };
}

/** Throws `InvalidInput` for an envelope with a field that makes no sense. */
function parseEnvelope(paste: string): Problem | undefined {
  const value = paste.trimStart().startsWith("{") ? parseJson(paste) : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  const keys = Object.keys(value);
  if (keys.length === 0 || !keys.every((key) => PROBLEM_FIELDS.some((field) => field === key))) return undefined;
  // `{"status": "error"}` alone is somebody's body, not our envelope with a wrong status.
  const isEnvelope = "body" in value || "headers" in value || ("status" in value && typeof value.status === "number");
  return isEnvelope ? checkProblem(value) : undefined;
}

function parseHttp(paste: string): Problem | undefined {
  const lines = withoutCurlMarks(paste.trimStart().split("\n"));
  if (lines === undefined || !STATUS_LINE.test(lines[0]?.trimEnd() ?? "")) return undefined;
  let at = 0;
  let status = 0;
  let headers: Record<string, string> = {};
  // A proxy's "200 Connection established", a "100 Continue" and redirects stand before the answer that counts.
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
    // People leave the blank line out when they paste.
    if (found === null) break;
    const name = (found[1] ?? "").toLowerCase();
    if (!pairs.has(name)) pairs.set(name, found[2] ?? "");
  }
  return { headers: Object.fromEntries(pairs), end };
}

/** `curl -v` marks what it received with `<`, and mixes in what it sent (`>`, with the key in it) and its own remarks (`*`). */
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
