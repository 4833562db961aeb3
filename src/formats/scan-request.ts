/** What routing needs of a request's body. */
export interface RequestScan {
  /** The model's name; undefined: the body is no JSON object, or has none. */
  readonly model: string | undefined;
  /** Where its value stands, quotes included. */
  readonly from: number;
  readonly to: number;
  readonly isStreaming: boolean;
}

const NOTHING: RequestScan = { model: undefined, from: 0, to: 0, isStreaming: false };
const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Finds `model` and `stream` among the fields of a JSON object without building it: a prompt of megabytes is passed over, not
 * parsed. The last of two equal fields counts, as in `JSON.parse`. Whether the rest is valid is for the endpoint to say.
 */
export function scanRequest(body: string): RequestScan {
  let at = skipSpace(body, 0);
  if (body[at] !== "{") return NOTHING;
  let found: RequestScan = NOTHING;
  at = skipSpace(body, at + 1);
  while (body.charCodeAt(at) === QUOTE) {
    const nameEnd = endOfString(body, at);
    const name = nameAt(body, at, nameEnd);
    at = skipSpace(body, nameEnd);
    if (body[at] !== ":") return found;
    const from = skipSpace(body, at + 1);
    const to = endOfValue(body, from);
    if (name === "model") found = { ...found, model: stringAt(body, from, to), from, to };
    else if (name === "stream") found = { ...found, isStreaming: body.slice(from, to) === "true" };
    at = skipSpace(body, to);
    if (body[at] !== ",") break;
    at = skipSpace(body, at + 1);
  }
  return found;
}

/** The same body for another model. */
export function withModel(body: string, { from, to, model }: RequestScan, other: string): string {
  return model === undefined ? body : body.slice(0, from) + JSON.stringify(other) + body.slice(to);
}

/** Names are rarely written with escapes. */
function nameAt(body: string, from: number, to: number): string | undefined {
  const plain = body.slice(from + 1, to - 1);
  return plain.includes("\\") ? stringAt(body, from, to) : plain;
}

function stringAt(body: string, from: number, to: number): string | undefined {
  if (body.charCodeAt(from) !== QUOTE) return undefined;
  try {
    return JSON.parse(body.slice(from, to)) as string;
  } catch {
    return undefined;
  }
}

function skipSpace(body: string, from: number): number {
  let at = from;
  for (; at < body.length; at += 1) {
    const code = body.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) break;
  }
  return at;
}

/** Behind the closing quote. `indexOf` passes over long texts quickly. */
function endOfString(body: string, from: number): number {
  for (let at = from + 1; ; at += 1) {
    at = body.indexOf('"', at);
    if (at === -1) return body.length;
    let slashes = 0;
    while (body.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

/** Behind a value of any kind. Iterative: depth is the caller's to choose. */
function endOfValue(body: string, from: number): number {
  let depth = 0;
  for (let at = from; at < body.length; at += 1) {
    switch (body.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(body, at) - 1;
        if (depth === 0) return at + 1;
        break;
      case 0x7b: // {
      case 0x5b: // [
        depth += 1;
        break;
      case 0x2c: // ,
        if (depth === 0) return trimEnd(body, from, at);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        if (depth === 0) return trimEnd(body, from, at);
        depth -= 1;
        if (depth === 0) return at + 1;
        break;
    }
  }
  return body.length;
}

/** A number or a word ends where the space behind it begins. */
function trimEnd(body: string, from: number, to: number): number {
  let end = to;
  while (end > from && /\s/.test(body[end - 1] ?? "")) end -= 1;
  return end;
}
